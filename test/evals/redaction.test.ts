import { describe, expect, test } from "vitest";
import { redactor } from "../../shared/evals/index.ts";
import { detectable } from "../../shared/schemas/evals/dataset-case.ts";

const redact = (text: string, detect: readonly (typeof detectable)[number][] = detectable): string =>
  redactor({ detect: [...detect] }).forCase()(text);

describe("what is personal becomes a token", () => {
  test.each([
    ["write to Ann.Lee+x@mail.example.org.", "write to <email_1>."],
    ["pay DE89 3704 0044 0532 0130 00 and more", "pay <iban_1> and more"],
    ["pay gb82west12345698765432, please", "pay <iban_1>, please"],
    ["card 4111 1111 1111 1111!", "card <card_1>!"],
    ["from 192.168.1.20, and 2001:db8::8a2e:370:7334", "from <ip_1>, and <ip_2>"],
    ["call +49 171 1234567 or 0171/1234567.", "call <phone_1> or <phone_2>."],
    ["call (415) 555-0100 or 415-555-0101", "call <phone_1> or <phone_2>"],
  ])("%s", (text, redacted) => expect(redact(text)).toBe(redacted));

  test.each([
    ["a card whose check digit is wrong", "card 4111 1111 1111 1112"],
    ["an IBAN whose check digits are wrong", "pay DE00 3704 0044 0532 0130 00"],
    ["a date", "on 01.02.2026 and 2026-11-28"],
    ["an order, an amount, a version", "order 48213377, $1,204.50, 0.1234567, 10.0.300.1"],
    ["a time", "at 12:30, 10:15:59"],
  ])("%s stays", (_what, text) => expect(redact(text)).toBe(text));
});

test("equal values have equal tokens within a case, however they are written; another case counts anew", () => {
  const { forCase } = redactor({ detect: ["email", "phone"] });
  const ofCase = forCase();
  expect(ofCase("ann@x.org, BOB@x.org, +49 171 1234567")).toBe("<email_1>, <email_2>, <phone_1>");
  expect(ofCase("0049 (171) 123-4567 is Ann@X.org")).toBe("<phone_1> is <email_1>");
  expect(forCase()("bob@x.org")).toBe("<email_1>");
});

test("names and patterns are taken out, and no token is taken apart by a pattern", () => {
  const { forCase } = redactor({
    detect: ["email"],
    names: ["Ann Lee", "Zoë"],
    patterns: ["\\d+", "K-[A-Z]+"],
  });
  expect(forCase()("ann lee and Zoë (Zoëlle not): a@x.org, 12, K-AB, 12")).toBe(
    "<name_1> and <name_2> (Zoëlle not): <email_1>, <pattern_1>, <pattern_2>, <pattern_1>",
  );
});

test("a pattern that is none, or takes forever, is refused", () => {
  expect(() => redactor({ detect: [], patterns: ["("] })).toThrow("the pattern ( cannot be used");
  const { forCase } = redactor({ detect: [], patterns: ["(a+)+$"] });
  expect(() => forCase()(`${"a".repeat(40)}b`)).toThrow("the pattern (a+)+$ cannot be used");
});

test("a long text without anything in it takes no long time", () => {
  const text = ["a", "1", "1.", "a@", "1 ", "a:", "AA11"].map((one) => one.repeat(20_000)).join("\n");
  const began = process.cpuUsage();
  redact(text);
  expect(process.cpuUsage(began).user).toBeLessThan(1_500_000);
});
