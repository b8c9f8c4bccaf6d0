/** A page that holds one item and is the only one. */
export const pageWith = <Item>(item: Item) => ({
  data: [item],
  meta: { page: 1, limit: 20, total_pages: 1, total_count: 1, search_time_ms: 4.2 },
});
