import type { ResponseOf, Route, RouteTable } from "../../routes/route.ts";

/** One typical request with its answer. A test validates every part against its schema. */
export type Example = {
  /** Variables of the path, where they are not those of `pathExamples`. */
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** JSON, or the fields of a form as the document describes them. */
  readonly body?: unknown;
  /** For the row's own status; absent where there is no body, or where the operation always refuses. */
  readonly answer?: unknown;
  /** For the further success statuses. */
  readonly further?: Readonly<Record<number, unknown>>;
  /** Frames, where the answer may be a stream. */
  readonly stream?: string;
};

type ExampleOf<R extends Route> = Omit<Example, "answer"> & { readonly answer?: ResponseOf<R> };

/** An example for each operation of a family; a missing one does not compile. */
export type ExamplesOf<Table extends RouteTable> = {
  readonly [Operation in keyof Table]: ExampleOf<Table[Operation]>;
};
