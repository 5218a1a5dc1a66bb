//! The protocol: which tools there are, and what a call of one is answered with.

use std::fs;

use camino::Utf8PathBuf;
use gate::lang::Lang;
use gate::say;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::Value;

use crate::calls::{Gate, Reply};
use crate::{catalogue, limit};

/// A gate that speaks the protocol.
pub struct Server {
    gate: Gate,
}

impl Server {
    /// With this gate.
    pub fn new(gate: Gate) -> Self {
        Server { gate }
    }

    /// A reply as the protocol has it, in a size that hosts leave whole.
    fn result(&self, tool: &str, reply: Reply) -> CallToolResult {
        let is_error = reply.is_error;
        let mut structured = reply.answer;
        let mut text = reply.lines.join("\n");
        let length =
            |text: &str, structured: &Value| limit::size(&Value::from(text)) + limit::size(structured);
        if length(&text, &structured) > limit::LIMIT {
            // What is cut of the text alone stands in the files that it names.
            let is_large = limit::size(&structured) > limit::STRUCTURED;
            let rest =
                is_large.then(|| self.keep_whole(tool, reply.feature.as_deref(), &structured)).flatten();
            limit::fit(&mut structured, limit::STRUCTURED);
            let mut told = self.gate.lang.pick("cut to what has room here", "内容已截短").to_owned();
            if let Some(rest) = rest {
                told = say!(self.gate.lang, "{told}; all of it: {rest}", "{told}；完整内容见 {rest}");
                structured["rest"] = Value::from(rest);
            }
            let room = limit::LIMIT.saturating_sub(limit::size(&structured) + told.len() + 8);
            let (lines, is_whole) = limit::lines(&reply.lines, room);
            text = if is_whole { lines } else { format!("{lines}\n{told}") };
        }
        let content = vec![ContentBlock::text(text)];
        let mut result =
            if is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
        result.structured_content = Some(structured);
        result
    }

    /// Writes an answer where it can be read whole. What cannot be written is not named.
    fn keep_whole(&self, tool: &str, feature: Option<&str>, answer: &Value) -> Option<String> {
        let folder = Utf8PathBuf::from(".xtask/answers").join(feature.unwrap_or_default());
        let file = folder.join(format!("{tool}.json"));
        let target = self.gate.xtask.root.join(&file);
        // Two calls at a time each write a file of their own, and the later one stays.
        let own = target.with_extension(format!("{:?}.tmp", std::thread::current().id()));
        fs::create_dir_all(target.parent()?).ok()?;
        fs::write(&own, format!("{answer:#}\n")).ok()?;
        fs::rename(&own, &target).ok()?;
        Some(file.as_str().replace('\\', "/"))
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let server = Implementation::new("delivery-gate", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities)
            .with_server_info(server)
            .with_instructions(instructions(self.gate.lang))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(catalogue::all(self.gate.lang)))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = request.name.as_ref();
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        match self.gate.call(tool, arguments, context.ct.cancelled()).await {
            None => Err(ErrorData::invalid_params(format!("there is no tool {tool}"), None)),
            Some(Ok(reply)) => Ok(self.result(tool, reply).into()),
            Some(Err(error)) => {
                eprintln!("gate-mcp: {tool}: {error:#}");
                let content = vec![ContentBlock::text(format!("{error:#}"))];
                Ok(CallToolResult::error(content).into())
            }
        }
    }
}

fn instructions(lang: Lang) -> &'static str {
    lang.pick(
        "A delivery gate: what \"done\" means is frozen by a person, and recomputed from evidence that the agent did not \
         write. Write or mend a pack, then gate_check until nothing is found. A person freezes it. Then gate_deliver_start \
         and gate_deliver_poll; where it is not accepted, read the rework order that is named. Freezing, waiving, settling, \
         changing a threshold and signing are a person's: gate_person says what they type.",
        "交付门禁：“完成”的含义由人冻结，结论由并非智能体所写的证据重新计算得出。请先编写或修改验收包，并用 gate_check \
         检查到没有问题为止；由人冻结；再用 gate_deliver_start 与 gate_deliver_poll 交付；未通过时阅读所指的返工单。冻结、豁免、裁定、\
         修改阈值与签名只能由人来做：gate_person 会给出人应输入的命令。",
    )
}
