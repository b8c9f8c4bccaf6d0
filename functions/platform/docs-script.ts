/**
 * What the docs page does in the browser, as it is sent: it fetches the interface description that this service
 * serves and writes it out. All text goes in as text, never as markup. The token stays in this tab.
 */
export const docsScript = `
"use strict";
const make = (tag, props, ...children) => {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children.filter((child) => child !== undefined && child !== null));
  return node;
};
const base = location.pathname.replace(/\\/docs\\/*$/, "");
const token = document.getElementById("token");
token.value = sessionStorage.getItem("token") || "";
token.addEventListener("input", () => sessionStorage.setItem("token", token.value.trim()));

const refName = (ref) => ref.split("/").pop();

/* One line that names a type, as a reader would say it. */
function typeText(schema) {
  if (!schema || Object.keys(schema).length === 0) return "any";
  if (schema.$ref) return refName(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (schema.anyOf || schema.oneOf) return (schema.anyOf || schema.oneOf).map(typeText).join(" | ");
  if (schema.type === "array") return typeText(schema.items) + "[]";
  if (schema.type === "object" && schema.additionalProperties && !Object.keys(schema.properties || {}).length) {
    return "object of " + typeText(schema.additionalProperties);
  }
  return String(schema.type || "any") + (schema.contentMediaType ? " (" + schema.contentMediaType + ")" : "");
}

function boundsText(schema) {
  const said = [];
  if (schema.default !== undefined) said.push("default " + JSON.stringify(schema.default));
  if (schema.minimum !== undefined) said.push("from " + schema.minimum);
  if (schema.maximum !== undefined) said.push("to " + schema.maximum);
  if (schema.minLength) said.push("not empty");
  if (schema.maxLength) said.push("at most " + schema.maxLength + " characters");
  if (schema.format && schema.format !== "binary") said.push(schema.format);
  return said.join(", ");
}

/* A schema written out as an indented outline; references are followed once on each branch. */
function outline(schema, all, depth, seen) {
  const pad = "  ".repeat(depth + 1);
  if (schema.$ref) {
    const name = refName(schema.$ref);
    return seen.includes(name) || depth > 5 ? name : outline(all[name] || {}, all, depth, seen.concat(name));
  }
  const several = schema.oneOf || schema.anyOf;
  if (several) return several.map((one) => outline(one, all, depth, seen)).join(" | ");
  if (schema.type === "array") return "[" + outline(schema.items || {}, all, depth, seen) + "]";
  const properties = Object.entries(schema.properties || {});
  if (properties.length === 0) return typeText(schema);
  const required = schema.required || [];
  const lines = properties.map(([name, one]) =>
    pad + name + (required.includes(name) ? "" : "?") + ": " + outline(one, all, depth + 1, seen));
  return "{\\n" + lines.join("\\n") + "\\n" + "  ".repeat(depth) + "}";
}

/* Whether a form field takes files, and whether several. */
const isFile = (schema) => schema.format === "binary";
const areFiles = (schema) => schema.type === "array" && isFile(schema.items || {});

function inputOf(schema) {
  if (isFile(schema) || areFiles(schema)) return make("input", { type: "file", multiple: areFiles(schema) });
  const choices = schema.type === "boolean" ? ["true", "false"] : schema.enum;
  if (!choices) return make("input", { placeholder: boundsText(schema), spellcheck: false });
  const unset = make("option", { value: "", textContent: boundsText(schema) });
  return make("select", {}, unset, ...choices.map((one) => make("option", { textContent: one })));
}

function fieldRow(name, schema, required, place, inputs, description) {
  const input = inputOf(schema);
  input.setAttribute("aria-label", name);
  inputs.push({ name, place, input });
  const label = make("td", { className: "name" }, make("code", { textContent: name }));
  if (required) label.append(make("b", { textContent: " *", title: "required" }));
  const meaning = description || schema.description;
  if (meaning) label.append(make("p", { textContent: meaning }));
  const type = isFile(schema) ? "file" : areFiles(schema) ? "files" : typeText(schema);
  return make("tr", {}, label, make("td", { textContent: type }), make("td", {}, input));
}

function fieldTable(title, rows) {
  if (rows.length === 0) return undefined;
  const head = make("tr", {}, ...["Name", "Type", "Value"].map((text) => make("th", { textContent: text })));
  return make("div", {}, make("h3", { textContent: title }), make("table", {}, head, ...rows));
}

/* What a form's fields and the parameters hold, as a request. */
function requestOf(method, path, inputs, bodyInput) {
  const query = new URLSearchParams();
  const headers = token.value.trim() ? { authorization: "Bearer " + token.value.trim() } : {};
  const fields = inputs.filter(({ place, input }) => place === "form" && input.value !== "");
  /* Only multipart carries files; the browser adds its boundary. */
  const form = fields.some(({ input }) => input.type === "file") ? new FormData() : new URLSearchParams();
  let address = path;
  for (const { name, place, input } of inputs) {
    if (place === "path") address = address.replace("{" + name + "}", encodeURIComponent(input.value));
    else if (input.value === "") continue;
    else if (place === "query") query.append(name, input.value);
    else if (place === "header") headers[name] = input.value;
  }
  for (const { name, input } of fields) {
    for (const one of input.type === "file" ? input.files : [input.value]) form.append(name, one);
  }
  const request = { method, headers };
  if (bodyInput) {
    request.headers["content-type"] = "application/json";
    request.body = bodyInput.value;
  } else if (inputs.some(({ place }) => place === "form")) request.body = form;
  const asked = query.toString();
  return [base + address + (asked ? "?" + asked : ""), request];
}

async function send([address, request], shown, status) {
  const started = performance.now();
  const stopper = new AbortController();
  status.replaceChildren(make("button", { className: "quiet", textContent: "Stop", onclick: () => stopper.abort() }));
  shown.hidden = false;
  shown.textContent = "";
  try {
    const answer = await fetch(address, { ...request, signal: stopper.signal });
    const decoder = new TextDecoder();
    let text = "";
    for (const reader = answer.body.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
      shown.textContent = text;
      shown.scrollTop = shown.scrollHeight;
    }
    const isJson = (answer.headers.get("content-type") || "").startsWith("application/json");
    if (isJson && text) shown.textContent = JSON.stringify(JSON.parse(text), null, 2);
    status.textContent = answer.status + " " + answer.statusText + " in " + Math.round(performance.now() - started) + " ms";
  } catch (error) {
    status.textContent = stopper.signal.aborted ? "stopped" : "not sent: " + error.message;
  }
}

const written = (example) => typeof example === "string" ? example : JSON.stringify(example, null, 2);
const exampleText = (example) => example === undefined ? "" : "\\n\\nfor example\\n" + written(example);

function responseList(operation, all, refusals) {
  const entries = Object.entries(operation.responses).map(([status, referred]) => {
    const response = referred.$ref ? refusals[refName(referred.$ref)] : referred;
    const kinds = Object.entries(response.content || {});
    const head = make("summary", {}, make("code", { textContent: status }), " " + response.description);
    const shapes = kinds.map(([type, { schema, example }]) =>
      make("pre", { textContent: type + "\\n" + outline(schema, all, 0, []) + exampleText(example) }));
    return make("details", {}, head, ...shapes);
  });
  return make("div", { className: "responses" }, make("h3", { textContent: "Answers" }), ...entries);
}

function operationCard(path, method, operation, { schemas: all, responses: refusals }) {
  const inputs = [];
  const rowsIn = (place) => (operation.parameters || [])
    .filter((one) => one.in === place)
    .map((one) => fieldRow(one.name, one.schema, one.required, place, inputs, one.description));
  const content = (operation.requestBody || {}).content || {};
  const form = (content["multipart/form-data"] || {}).schema;
  const { schema: json, example = {} } = content["application/json"] || {};
  const formRows = Object.entries((form || {}).properties || {}).map(([name, schema]) =>
    fieldRow(name, schema, (form.required || []).includes(name), "form", inputs));
  const bodyInput = json && make("textarea", { rows: 6, value: written(example), spellcheck: false });
  const scopes = operation.security.flatMap((one) => one.bearer || []);
  const shown = make("pre", { hidden: true });
  const status = make("span", {});
  status.setAttribute("role", "status");
  const go = make("button", { textContent: "Send" });
  go.onclick = () => send(requestOf(method, path, inputs, bodyInput), shown, status);
  return make("details", { className: "operation", id: operation.operationId },
    make("summary", {},
      make("span", { className: "method " + method, textContent: method }),
      make("span", { className: "path", textContent: path }),
      make("span", { className: "what", textContent: operation.summary }),
      make("span", { className: "lock", textContent: scopes.length ? scopes.join(" + ") : "public" })),
    make("div", { className: "inside" },
      operation.description && make("p", { textContent: operation.description }),
      fieldTable("Path", rowsIn("path")),
      fieldTable("Query", rowsIn("query")),
      fieldTable("Headers", rowsIn("header")),
      fieldTable("Form", formRows),
      bodyInput && make("div", {}, make("h3", { textContent: "JSON body" }), bodyInput,
        make("pre", { textContent: outline(json, all, 0, []) })),
      make("div", { className: "actions" }, go, status),
      shown,
      responseList(operation, all, refusals)));
}

function showAddressed() {
  const card = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (card && card.tagName === "DETAILS") card.open = true;
}

/* What the search looks through: the text of each operation, and what shows it. */
const searched = [];
const search = document.getElementById("search");
search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const { text, parts } of searched) {
    const isFound = words.every((word) => text.includes(word));
    for (const part of parts) part.hidden = !isFound;
  }
  for (const section of document.querySelectorAll("main > section")) {
    section.hidden = !section.querySelector("details.operation:not([hidden])");
  }
});

async function show() {
  const described = await (await fetch(base + "/openapi.json")).json();
  const nav = document.querySelector("nav");
  const main = document.querySelector("main");
  document.getElementById("version").textContent = described.info.version;
  main.replaceChildren(make("p", { textContent: described.info.description }));
  for (const { name } of described.tags) {
    const section = make("section", {}, make("h2", { textContent: name }));
    nav.append(make("h2", { textContent: name }));
    for (const [path, operations] of Object.entries(described.paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        if (!operation.tags.includes(name)) continue;
        const card = operationCard(path, method.toUpperCase(), operation, described.components);
        const link = make("a", { href: "#" + operation.operationId, textContent: operation.operationId });
        section.append(card);
        nav.append(link);
        const { operationId, summary, description = "" } = operation;
        const text = [operationId, method, path, summary, description].join(" ").toLowerCase();
        searched.push({ text, parts: [card, link] });
      }
    }
    main.append(section);
  }
  showAddressed();
}

addEventListener("hashchange", showAddressed);
show().catch((error) => {
  document.querySelector("main").textContent = "The interface description could not be read: " + error.message;
});
`;
