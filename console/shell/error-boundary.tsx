import { Component, type ReactNode } from "react";
import { OutdatedPage } from "../api/load-part.ts";
import { queryClient } from "../api/query-client.ts";
import { Button } from "../parts/button.tsx";
import { Empty, Failed } from "../parts/state.tsx";

type Shown = { readonly error?: unknown };

/** An unexpected error of a screen is shown in its place; the others keep working. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, Shown> {
  override state: Shown = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (error instanceof OutdatedPage) return <Outdated />;
    return <Failed error={error} retry={this.retry} />;
  }

  private readonly retry = () => {
    // What failed before the screen was there is kept as failed, and would fail the screen again.
    void queryClient.resetQueries({ predicate: ({ state }) => state.status === "error" });
    this.setState({ error: undefined });
  };
}

/** A reload forgets a token that is in memory only, so it is left to the reader. */
function Outdated() {
  return (
    <Empty title="The console has been updated">
      <p>This page is of an earlier version. Reload it to continue.</p>
      <Button kind="main" onPress={() => location.reload()}>
        Reload
      </Button>
    </Empty>
  );
}
