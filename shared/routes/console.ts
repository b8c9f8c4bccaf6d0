/**
 * Where the page for operators is served. It is no operation of the interface: it has no row in a route table, and the
 * interface description does not list it.
 */
export const PAGE_PATH = "/console";
