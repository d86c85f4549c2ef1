using System.Collections.Concurrent;
using FsCheck;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// The options of commands that an emphasis makes likely. They depend on nothing else, so they are composed once.
/// </summary>
/// <param name="Publication311">The options of a publication of MQTT 3.1.1.</param>
/// <param name="Publication5">The options of a publication of MQTT 5.</param>
/// <param name="Flow311">How the exchange of a publication of MQTT 3.1.1 goes.</param>
/// <param name="Flow5">How the exchange of a publication of MQTT 5 goes.</param>
/// <param name="FlowWithSession311">The same of a client of MQTT 3.1.1 that has a session.</param>
/// <param name="FlowWithSession5">The same of a client of MQTT 5 that has a session.</param>
internal sealed record Contents(
    Gen<CommandOptions> Publication311,
    Gen<CommandOptions> Publication5,
    Gen<CommandOptions> Flow311,
    Gen<CommandOptions> Flow5,
    Gen<CommandOptions> FlowWithSession311,
    Gen<CommandOptions> FlowWithSession5
)
{
    private static readonly ConcurrentDictionary<Emphasis, Contents> s_all = new();

    /// <summary>The options of an emphasis.</summary>
    /// <param name="emphasis">One of the subjects.</param>
    public static Contents Of(Emphasis emphasis) => s_all.GetOrAdd(emphasis, Compose);

    private static Contents Compose(Emphasis emphasis)
    {
        (CommandOptions, double)[] contents =
        [
            (CommandOptions.Retain, emphasis.Retain),
            (CommandOptions.Delete, emphasis.Delete),
            // An empty message is no retained one.
            (CommandOptions.Empty, emphasis.Interval == IntervalKind.RetainedMessage ? 0 : .025),
            (CommandOptions.Large, emphasis.Large),
        ];
        (CommandOptions, double)[] flows = [(CommandOptions.Duplicate, .05), (CommandOptions.Reuse, emphasis.Reuse)];
        return new(
            Publication311: Draw.Options(contents),
            Publication5: Draw.Options([
                .. contents,
                (CommandOptions.Alias, emphasis.Alias),
                (CommandOptions.Properties, .15),
                (CommandOptions.Expiry, emphasis.Expiry),
            ]),
            Flow311: Draw.Options([.. flows, (CommandOptions.Repeat, .08)]),
            Flow5: Draw.Options(flows),
            // A client that does not resume its session cannot continue half a flow.
            FlowWithSession311: Draw.Options([
                .. flows,
                (CommandOptions.Repeat, .08),
                (CommandOptions.Cut, emphasis.Cut),
            ]),
            FlowWithSession5: Draw.Options([.. flows, (CommandOptions.Cut, emphasis.Cut)])
        );
    }
}
