import type { ReactNode } from "react";
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from "react-aria-components";

export type TabEntry = { readonly id: string; readonly title: ReactNode; readonly content: ReactNode };

type TabsProps = {
  /** What the tabs are of, for those who do not see it. */
  readonly label: string;
  readonly entries: readonly TabEntry[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
};

/** Views of one thing, of which one is shown. */
export function Tabs({ label, entries, selected, onSelect }: TabsProps) {
  return (
    <AriaTabs className="tabs" selectedKey={selected} onSelectionChange={(id) => onSelect(String(id))}>
      <TabList className="tabs-list" aria-label={label}>
        {entries.map(({ id, title }) => (
          <Tab key={id} id={id} className="tab">
            {title}
          </Tab>
        ))}
      </TabList>
      {entries.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="tab-panel">
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
