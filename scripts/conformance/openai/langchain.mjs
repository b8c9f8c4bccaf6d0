/** What LangChain's client does with the platform, by both of OpenAI's interfaces; address and key are in the environment. */
import assert from "node:assert/strict";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";

const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey } = process.env;
const openGate = {
  type: "function",
  function: {
    name: "open_gate",
    description: "Opens a gate.",
    parameters: { type: "object", properties: { gate: { type: "string" } } },
  },
};
const textOf = ({ content }) =>
  typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");

let passed = 0;
for (const useResponsesApi of [false, true]) {
  const model = new ChatOpenAI({
    ...{ model: "agent:assistant", apiKey, useResponsesApi, maxRetries: 0 },
    configuration: { baseURL },
  });
  assert.match(textOf(await model.invoke("Hello there")), /Hello there/);
  let said = "";
  for await (const chunk of await model.stream("Hello stream, in words")) said += textOf(chunk);
  assert.match(said, /Hello stream, in words/);
  const asked = new HumanMessage('[[tool:open_gate {"gate":"north"}]]');
  const bound = model.bindTools([openGate]);
  const called = await bound.invoke([asked]);
  const [call] = called.tool_calls;
  assert.deepEqual([call.name, call.args], ["open_gate", { gate: "north" }]);
  const result = new ToolMessage({ tool_call_id: call.id, content: "it is open" });
  assert.match(textOf(await bound.invoke([asked, called, result])), /it is open/);
  passed += 3;
}
console.log(`LangChain's ChatOpenAI: ${passed} of 6`);
