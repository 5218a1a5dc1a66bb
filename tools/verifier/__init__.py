"""The second verifier, written from the law alone. It shares no code with the gate."""
