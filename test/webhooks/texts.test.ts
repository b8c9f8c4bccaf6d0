import { describe, expect, test } from "vitest";
import { slackPlain } from "../../shared/chat/slack/slack-plain.ts";
import { slackChunks, slackText } from "../../shared/chat/slack/slack-text.ts";
import { splitText } from "../../shared/chat/split-text.ts";
import {
  MESSAGE_LIMIT,
  telegramChunks,
  telegramHtml,
  telegramPlain,
} from "../../shared/chat/telegram/telegram-html.ts";
import { hiddenUserId } from "../../shared/chat/whatsapp/hidden-user-id.ts";
import { messageTypeOf } from "../../shared/chat/whatsapp/whatsapp-media.ts";
import { whatsappParts, whatsappText } from "../../shared/chat/whatsapp/whatsapp-parts.ts";
import { faultIn } from "../support/chat-platforms/bot-server.ts";

const partsOf = (text: string) =>
  whatsappParts({ text, media: [], calls: [] }, "wamid.1").map((part) =>
    part.kind === "text" ? part.text : part.kind,
  );

describe("a text for WhatsApp", () => {
  test("of 4,096 characters is one message, and of one more it is two with a head", () => {
    expect(partsOf("a".repeat(4096))).toEqual(["a".repeat(4096)]);
    const parts = partsOf("a".repeat(4097));
    expect(parts.map((part) => part.slice(0, 6))).toEqual(["[1/2] ", "[2/2] "]);
    expect(parts.map((part) => part.slice(6)).join("")).toBe("a".repeat(4097));
  });
  test("loses nothing when it is cut, keeps emoji whole and stays within the limit", () => {
    const text = `${"word ".repeat(900)}\n\n${"😀".repeat(3000)}`;
    const parts = partsOf(text);
    for (const part of parts) expect([part.length <= 4096, part.isWellFormed()]).toEqual([true, true]);
    expect(parts.map((part) => part.slice(part.indexOf("] ") + 2)).join("")).toBe(text);
  });
  test("has its heading, bold, strike and links in WhatsApp's marks, and its code as it was", () => {
    const markdown =
      "# Title\n**bold** and ~~gone~~ [docs](https://e.org)\n```\n**not bold** [x](y)\n```\n`**a**`";
    expect(whatsappText(markdown)).toBe(
      "*Title*\n*bold* and ~gone~ docs (https://e.org)\n```\n**not bold** [x](y)\n```\n`**a**`",
    );
  });
  test("that is empty is no message", () => {
    expect(partsOf(" \n")).toEqual([]);
  });
});

test("a text is cut after a blank line, else a newline, else a blank", () => {
  expect(splitText("aaaaaa\n\nbb cc", 10)).toEqual(["aaaaaa\n\n", "bb cc"]);
  expect(splitText("aaaaaa\nbbb cc", 10)).toEqual(["aaaaaa\n", "bbb cc"]);
  expect(splitText("aaaaaa bbb cc", 9)).toEqual(["aaaaaa ", "bbb cc"]);
});

describe("a text for Telegram", () => {
  test.each([
    ["**bold** *it* ~~no~~ `a<b`", "<b>bold</b> <i>it</i> <s>no</s> <code>a&lt;b</code>"],
    ["# Head & <tail>", "<b>Head &amp; &lt;tail&gt;</b>"],
    ["- one\n- **two**", "• one\n• <b>two</b>"],
    ["1. one\n2. two", "1. one\n2. two"],
    ["> said\n> twice", "<blockquote>said\ntwice</blockquote>"],
    ["```ts\na < b\n```", '<pre><code class="language-ts">a &lt; b</code></pre>'],
    ["[t](https://e.org/?a=1&b=2)", '<a href="https://e.org/?a=1&amp;b=2">t</a>'],
    ["seen【1†source】 there", "seen there"],
    ["||secret||", "<tg-spoiler>secret</tg-spoiler>"],
  ])("%j is %j", (markdown, html) => {
    expect(telegramHtml(markdown)).toBe(html);
  });
  test.each([
    "```js\nnever closed <b>",
    "***both** nested*",
    "a < b && c > d",
    "**open and *nested** wrongly*",
    "<script>alert(1)</script>",
    "| a | b |\n|---|---|\n| <1> | & |",
    "- a\n  - **b\n- c",
    "_ * ` ~ [ ] ( <",
  ])("%j is HTML that Telegram takes", (markdown) => {
    expect(faultIn({ text: telegramHtml(markdown), parse_mode: "HTML" })).toBeUndefined();
    expect(telegramPlain(markdown)).not.toBe("");
  });
  test("is plain without any mark", () => {
    expect(telegramPlain("**bold** & [t](https://e.org)\n\n```\ncode\n```")).toBe(
      "bold & t (https://e.org)\n\ncode",
    );
  });
  test("that is long falls into chunks that fit when they are HTML, and code is closed in each", () => {
    const markdown = `${"<&> word ".repeat(700)}\n\n\`\`\`py\n${"x = '<&>'\n".repeat(900)}\`\`\`\n\nthe **end**`;
    const chunks = telegramChunks(markdown);
    expect(chunks.length).toBeGreaterThan(3);
    for (const chunk of chunks) {
      const html = telegramHtml(chunk);
      expect(html.length).toBeLessThanOrEqual(MESSAGE_LIMIT);
      expect(faultIn({ text: html, parse_mode: "HTML" })).toBeUndefined();
    }
    const bare = (text: string) => text.replace(/\s/g, "");
    expect(bare(chunks.map(telegramPlain).join(""))).toBe(bare(telegramPlain(markdown)));
  });
});

describe("a text for Slack", () => {
  test.each([
    ["# Head & **tail**", "*Head &amp; tail*"],
    ["**bold** *it* ~~no~~ `a<b`", "*bold* _it_ ~no~ `a&lt;b`"],
    ["**two\nlines**", "*two*\n*lines*"],
    ["> said\n> twice", "> said\n> twice"],
    ["- one\n- [t](https://e.org/?a=1&b=2)", "• one\n• <https://e.org/?a=1&amp;b=2|t>"],
    ["```ts\na < b\n```", "```\na &lt; b\n```"],
    ["<!channel> <@U1>", "&lt;!channel&gt; &lt;@U1&gt;"],
    ["[all](!here) [one](@U1)", "all (!here) one (@U1)"],
  ])("%j is %j", (markdown, text) => {
    expect(slackText(markdown)).toBe(text);
  });
  test("that is long falls into chunks that edits accept, and loses no word", () => {
    const markdown = `${"<&> word ".repeat(700)}\n\n\`\`\`py\n${"x = '<&>'\n".repeat(900)}\`\`\`\n\nthe **end**`;
    const chunks = slackChunks(markdown);
    for (const chunk of chunks) expect(slackText(chunk).length).toBeLessThanOrEqual(4_000);
    const bare = (text: string) => text.replace(/\s/g, "");
    expect(bare(chunks.map(telegramPlain).join(""))).toBe(bare(telegramPlain(markdown)));
  });
  test("that was written there is read as its reader sees it", () => {
    expect(slackPlain("<@U0BOT> a &lt; b <https://e.org> <mailto:a@b.c|a@b.c>", "U0BOT")).toBe(
      "a < b https://e.org a@b.c",
    );
  });
});

describe("a file for WhatsApp", () => {
  const PNG = [0x89, 0x50, 0x4e, 0x47];
  const sort = (mime_type: string, bytes: readonly number[]) =>
    messageTypeOf({ kind: "images", mime_type, bytes: Uint8Array.from(bytes) });
  test("is an image where its bytes say so; what no sort takes is a document", () => {
    expect(sort("image/png", PNG)).toBe("image");
    expect(sort("image/png", [1, 2, 3, 4])).toBe("document");
    expect(sort("image/webp", PNG)).toBe("document");
    expect(sort("audio/wav", [1])).toBe("document");
    expect(sort("audio/ogg", [1])).toBe("audio");
    expect(sort("image/png", [...PNG, ...Array.from({ length: 5_000_000 }, () => 0)])).toBe("document");
  });
});

test("the same number gets the same hidden id, which nothing but the key leads to", () => {
  const [key, other] = ["ab".repeat(32), "cd".repeat(32)];
  const hidden = hiddenUserId("15550199", key);
  expect(hiddenUserId("15550199", key)).toBe(hidden);
  expect(hiddenUserId("15550198", key)).not.toBe(hidden);
  expect(hidden).toMatch(/^[\w-]{43}$/);
  // No part of it is the same under another key, so no part can be computed from the number.
  const parts = (id: string) => Array.from({ length: id.length - 7 }, (_, at) => id.slice(at, at + 8));
  const others = new Set(parts(hiddenUserId("15550199", other)));
  expect(parts(hidden).filter((part) => others.has(part))).toEqual([]);
});
