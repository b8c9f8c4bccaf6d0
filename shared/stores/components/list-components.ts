import { type Audience, audienceOf } from "../../domain/components/audience.ts";
import { type ComponentType, componentTypes } from "../../schemas/components/component.ts";
import type { ComponentRecord } from "../../schemas/components/component-record.ts";
import { type Db, queryPages } from "../db.ts";
import { mergeSorted } from "../listing/listed-rows.ts";
import {
  audiencePartition,
  type ComponentState,
  type Counted,
  countOf,
  countsPartition,
  type Place,
  readComponents,
  stateOf,
  typePartition,
} from "./component-item.ts";

type ComponentsQuery = {
  /** Whose components; `all` for everybody's. */
  readonly audiences: readonly Audience[] | "all";
  readonly type: ComponentType | undefined;
  readonly include_deleted: boolean;
  /** Ids that are left out: those that code declares. */
  readonly hidden: readonly string[];
  /** Counted from 1. */
  readonly page: number;
  readonly limit: number;
};

type Row = { readonly component_id: string; readonly opened: string };
const ROWS_PER_QUERY = 250;

/**
 * One page of components, the newest first, and the exact number of all. It reads the index up to the page's end and
 * the components of the page, however many there are; if there are none, it reads only the counters.
 */
export async function listComponents(
  db: Db,
  query: ComponentsQuery,
): Promise<{ components: ComponentRecord[]; total: number }> {
  const filled = await filledPlaces(db, query);
  if (filled.length === 0) return { components: [], total: 0 };
  const hidden = await hiddenIds(db, query);
  const rows = await pageRows(db, query, filled, hidden);
  const components = await readComponents(
    db,
    rows.map((row) => row.component_id),
  );
  return { components, total: filled.reduce((sum, { count }) => sum + count, 0) - hidden.size };
}

/** A state and type with components of an audience. */
type Filled = Place & { readonly audience: Counted; readonly count: number };

async function filledPlaces(db: Db, query: ComponentsQuery): Promise<Filled[]> {
  const audiences: readonly Counted[] = query.audiences === "all" ? ["all"] : query.audiences;
  const counted = await Promise.all(
    audiences.map(async (audience) => {
      const countOf = await countComponents(db, audience);
      return placesOf(query).map((place) => ({ ...place, audience, count: countOf(place) }));
    }),
  );
  return counted.flat().filter(({ count }) => count > 0);
}

function placesOf({ type, include_deleted }: ComponentsQuery): Place[] {
  const states: ComponentState[] = include_deleted ? ["living", "archived"] : ["living"];
  const types = type ? [type] : componentTypes;
  return states.flatMap((state) => types.map((of) => ({ state, type: of })));
}

/** Of the ids that are left out, those that the list would contain. */
async function hiddenIds(db: Db, query: ComponentsQuery): Promise<ReadonlySet<string>> {
  const places = placesOf(query);
  const candidates = await readComponents(db, query.hidden);
  const listed = candidates.filter(
    (component) =>
      places.some(({ state, type }) => state === stateOf(component) && type === component.component_type) &&
      (query.audiences === "all" || query.audiences.includes(audienceOf(component))),
  );
  return new Set(listed.map(({ component_id }) => component_id));
}

async function pageRows(
  db: Db,
  { page, limit }: ComponentsQuery,
  filled: readonly Filled[],
  hidden: ReadonlySet<string>,
): Promise<Row[]> {
  const need = page * limit;
  const perQuery = Math.min(need + 1 + hidden.size, ROWS_PER_QUERY);
  const streams = filled.map(({ state, audience, type }) =>
    audience === "all"
      ? indexRows(db, "by_type", "type_key", typePartition(state, type), perQuery)
      : indexRows(db, "by_audience", "audience_key", audiencePartition(state, audience, type), perQuery),
  );
  const rows: Row[] = [];
  for await (const row of mergeSorted(streams, (a, b) => a.opened < b.opened)) {
    if (!hidden.has(row.component_id)) rows.push(row);
    if (rows.length >= need) break;
  }
  return rows.slice(need - limit);
}

async function* indexRows(
  db: Db,
  IndexName: string,
  key: string,
  partition: string,
  Limit: number,
): AsyncGenerator<Row, undefined> {
  const pages = queryPages(db, {
    TableName: db.tables.components,
    IndexName,
    KeyConditionExpression: `${key} = :partition`,
    ExpressionAttributeValues: { ":partition": partition },
    Limit,
  });
  for await (const page of pages) yield* (page.Items ?? []) as Row[]; // as projected
  return undefined;
}

/**
 * How many components an audience has by state and type, from the counters that every change updates.
 *
 * @returns the number for one state and type
 */
async function countComponents(db: Db, audience: Counted): Promise<(place: Place) => number> {
  const items: Record<string, unknown>[] = [];
  const pages = queryPages(db, {
    TableName: db.tables.components,
    KeyConditionExpression: "pk = :counted",
    ExpressionAttributeValues: { ":counted": countsPartition(audience) },
    ConsistentRead: true,
  });
  for await (const { Items = [] } of pages) items.push(...Items);
  return ({ state, type }) => items.reduce((sum, item) => sum + Number(item[countOf(state, type)] ?? 0), 0);
}

/** Most that lists without pages show; `GET /components` has them all. */
const MOST_LISTED = 200;

/** The newest components of a kind, for lists without pages. */
export async function newestComponents(
  db: Db,
  query: Pick<ComponentsQuery, "audiences" | "type" | "hidden">,
): Promise<ComponentRecord[]> {
  const page = { include_deleted: false, page: 1, limit: MOST_LISTED };
  return (await listComponents(db, { ...query, ...page })).components;
}
