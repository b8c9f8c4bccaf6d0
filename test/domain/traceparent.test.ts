import { expect, test } from "vitest";
import { foreignSpanIn, traceparentOf } from "../../shared/domain/traceparent.ts";

const trace_id = "4bf92f3577b34da6a3ce929d0e0e4736";
const span_id = "00f067aa0ba902b7";

test("a traceparent names a span, also one of a later version with more parts", () => {
  expect(foreignSpanIn(traceparentOf({ trace_id, span_id }, true))).toEqual({ trace_id, span_id });
  expect(foreignSpanIn(`cc-${trace_id}-${span_id}-00-what-comes`)).toEqual({ trace_id, span_id });
});

test.each([
  undefined,
  "",
  `00-${trace_id}-${span_id}`,
  `00-${trace_id}-${span_id}-01-more`,
  `ff-${trace_id}-${span_id}-01`,
  `00-${"0".repeat(32)}-${span_id}-01`,
  `00-${trace_id}-${"0".repeat(16)}-01`,
  `00-${trace_id.toUpperCase()}-${span_id}-01`,
  `00-${trace_id}-${span_id}-01\nx`,
])("%j names none", (text) => {
  expect(foreignSpanIn(text)).toBeUndefined();
});
