/** As much of the layout library as the graph uses. */
declare module "@dagrejs/dagre" {
  type Size = { readonly width: number; readonly height: number };
  type Point = { readonly x: number; readonly y: number };
  type Edge = { readonly v: string; readonly w: string; readonly name?: string };

  export class Graph {
    constructor(options: { readonly multigraph: boolean });
    setGraph(options: Readonly<Record<string, string | number>>): this;
    setDefaultEdgeLabel(label: () => object): this;
    setNode(id: string, size: Size): this;
    setEdge(edge: Edge, label: Readonly<Record<string, string | number>>): this;
    /** After `layout`: the size of the plane. */
    graph(): Partial<Size>;
    /** After `layout`: the middle of the node. */
    node(id: string): Point;
    /** After `layout`: the line from node to node. */
    edge(edge: Edge): { readonly points: readonly Point[] };
  }

  /** Gives every node and every edge of a graph its place. */
  export function layout(graph: Graph): void;
}
