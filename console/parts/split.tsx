import { ArrowLeft, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";

type SplitProps = {
  readonly list: ReactNode;
  readonly detail: ReactNode;
  /** Whether a row was chosen: where there is no room for both, its detail takes the place of the list. */
  readonly isChosen: boolean;
};

/** A list, and beside it the one that is chosen. */
export function Split({ list, detail, isChosen }: SplitProps) {
  return (
    <div className="split" data-chosen={isChosen || undefined}>
      <div className="split-list">{list}</div>
      <div className="split-detail">{detail}</div>
    </div>
  );
}

type PanelProps = {
  readonly title: ReactNode;
  /** Stands beside the title. */
  readonly badge?: ReactNode;
  /** What a row of the list is, for the button that leads back to them. */
  readonly back: string;
  readonly onClose?: (() => void) | undefined;
  readonly children: ReactNode;
};

/** The detail of a split. */
export function Panel({ title, badge, back, onClose, children }: PanelProps) {
  return (
    <section className="card panel" aria-label="Detail">
      {onClose && (
        <div className="panel-back">
          <Button kind="plain" size="small" icon={<ArrowLeft size={14} aria-hidden />} onPress={onClose}>
            {back}
          </Button>
        </div>
      )}
      <div className="card-head">
        <h2 className="panel-title">{title}</h2>
        {badge}
        {onClose && (
          <span className="panel-close">
            <Button
              kind="plain"
              size="small"
              icon={<X size={14} aria-hidden />}
              label="Close"
              onPress={onClose}
            />
          </span>
        )}
      </div>
      <div className="card-body stack">{children}</div>
    </section>
  );
}
