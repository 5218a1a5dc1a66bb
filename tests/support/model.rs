//! A model of ours on loopback: it answers each request of an agent with the next turn of a script.
//!
//! It speaks as much of the chat completions protocol as agents need: a stream of `data:` chunks. What agents ask beside
//! their work, such as a title, has no tools in it and is answered without taking a turn.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// What one request is answered with.
#[derive(Clone, Debug)]
pub enum Turn {
    /// A text, and the end of the work.
    Say(&'static str),
    /// A tool call, with its arguments.
    Call(&'static str, Value),
    /// A text that reached its greatest length.
    CutOff(&'static str),
    /// A status, such as 401, and an error in the body.
    Status(u16),
    /// The beginning of a text, and then the connection is closed.
    Broken,
    /// Nothing, for as long as the server is there.
    Hang,
}

/// The server. It ends with the test.
pub struct Model {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    script: Mutex<Vec<Turn>>,
    requests: Mutex<Vec<Value>>,
    is_over: AtomicBool,
}

impl Model {
    /// A server with these turns. The last one is repeated for ever.
    pub fn with(script: Vec<Turn>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared {
            script: Mutex::new(script),
            requests: Mutex::new(Vec::new()),
            is_over: AtomicBool::new(false),
        });
        let ours = Arc::clone(&shared);
        thread::spawn(move || {
            for stream in listener.incoming() {
                if ours.is_over.load(Ordering::SeqCst) {
                    return;
                }
                let shared = Arc::clone(&ours);
                // A client that goes away is no failure of the test.
                thread::spawn(move || stream.and_then(|stream| serve(stream, &shared)));
            }
        });
        Model { port, shared }
    }

    /// Another script from now on.
    pub fn now(&self, script: Vec<Turn>) {
        *self.shared.script.lock().unwrap() = script;
    }

    /// Where it is asked.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// Settings with which opencode and DevEco Code ask this model.
    pub fn settings(&self) -> Value {
        let address = self.address();
        json!({
            "model": "mock/m", "small_model": "mock/m", "enabled_providers": ["mock"],
            "provider": { "mock": {
                "npm": "@ai-sdk/openai-compatible", "name": "Mock",
                "options": { "baseURL": address, "apiKey": "sk-test-of-the-mock" },
                "models": { "m": { "cost": { "input": 1, "output": 2 } } }
            } }
        })
    }

    /// What was asked so far, in order, without titles and the like.
    pub fn requests(&self) -> Vec<Value> {
        self.shared.requests.lock().unwrap().clone()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        // Wakes the thread that accepts.
        drop(TcpStream::connect(("127.0.0.1", self.port)));
    }
}

fn serve(mut stream: TcpStream, shared: &Shared) -> std::io::Result<()> {
    let request = read_request(&stream)?;
    let turn = match request["tools"].as_array() {
        Some(tools) if !tools.is_empty() => shared.next(request),
        _ => Turn::Say("A title"),
    };
    answer(&mut stream, &turn, shared)?;
    stream.shutdown(Shutdown::Both)
}

impl Shared {
    fn next(&self, request: Value) -> Turn {
        self.requests.lock().unwrap().push(request);
        let mut script = self.script.lock().unwrap();
        match script.len() {
            0 => Turn::Say("nothing is left to say"),
            1 => script[0].clone(),
            _ => script.remove(0),
        }
    }
}

/// The JSON body of a request; null if there is none.
fn read_request(stream: &TcpStream) -> std::io::Result<Value> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some(count) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = count.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(serde_json::from_slice(&body).unwrap_or_default())
}

fn answer(stream: &mut TcpStream, turn: &Turn, shared: &Shared) -> std::io::Result<()> {
    match turn {
        Turn::Say(text) => stream_of(stream, &[chunk(json!({ "content": text }), None)], "stop"),
        Turn::CutOff(text) => stream_of(stream, &[chunk(json!({ "content": text }), None)], "length"),
        Turn::Call(tool, arguments) => {
            let function = json!({ "name": tool, "arguments": arguments.to_string() });
            let call = json!({ "index": 0, "id": "call_1", "type": "function", "function": function });
            stream_of(stream, &[chunk(json!({ "tool_calls": [call] }), None)], "tool_calls")
        }
        Turn::Status(status) => {
            let body =
                json!({ "error": { "message": "as the script says", "type": "scripted" } }).to_string();
            write!(
                stream,
                "HTTP/1.1 {status} Scripted\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            )
        }
        Turn::Broken => {
            head(stream)?;
            send(stream, &chunk(json!({ "content": "I beg" }), None))
        }
        Turn::Hang => {
            while !shared.is_over.load(Ordering::SeqCst) && is_open(stream) {
                thread::yield_now();
            }
            Ok(())
        }
    }
}

/// Whether the client is still there. Waits for it a little.
fn is_open(stream: &mut TcpStream) -> bool {
    let wait = std::time::Duration::from_millis(200);
    let mut byte = [0];
    match stream.set_read_timeout(Some(wait)).and_then(|()| stream.read(&mut byte)) {
        Ok(count) => count > 0,
        Err(error) => matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut),
    }
}

fn stream_of(stream: &mut TcpStream, chunks: &[Value], reason: &str) -> std::io::Result<()> {
    head(stream)?;
    for chunk in chunks {
        send(stream, chunk)?;
    }
    let mut last = chunk(json!({}), Some(reason));
    last["usage"] = json!({ "prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010 });
    send(stream, &last)?;
    write!(stream, "data: [DONE]\n\n")
}

fn head(stream: &mut TcpStream) -> std::io::Result<()> {
    write!(stream, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
}

fn send(stream: &mut TcpStream, chunk: &Value) -> std::io::Result<()> {
    write!(stream, "data: {chunk}\n\n")
}

fn chunk(delta: Value, reason: Option<&str>) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": "m",
        "choices": [{ "index": 0, "delta": delta, "finish_reason": reason }]
    })
}
