import { Component, type ComponentType, h } from 'preact';

/** Draws a part anew only when one of its properties is another one. */
export const memo = <Props extends object>(Part: ComponentType<Props>): ComponentType<Props> =>
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const before = this.props as Readonly<Record<string, unknown>>;
      return Object.entries(next).some(([name, value]) => before[name] !== value);
    }
    override render() {
      return h(Part, this.props as Props);
    }
  };
