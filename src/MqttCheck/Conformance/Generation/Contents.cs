using System.Collections.Concurrent;
using FsCheck;

namespace MqttCheck.Conformance.Generation;

/// <summary>
/// The options of commands that an emphasis makes likely. They depend on nothing else, so they are composed once.
/// </summary>
internal sealed class Contents
{
    private static readonly ConcurrentDictionary<Emphasis, Contents> s_all = new();

    private Contents(Emphasis emphasis)
    {
        (CommandOptions, double)[] contents =
        [
            (CommandOptions.Retain, emphasis.Retain),
            (CommandOptions.Delete, emphasis.Delete),
            // An empty message is no retained one.
            (CommandOptions.Empty, emphasis.Interval == IntervalKind.RetainedMessage ? 0 : .025),
            (CommandOptions.Large, emphasis.Large),
        ];
        Publication311 = Draw.Options(contents);
        Publication5 = Draw.Options([
            .. contents,
            (CommandOptions.Alias, emphasis.Alias),
            (CommandOptions.Properties, .15),
            (CommandOptions.Expiry, emphasis.Expiry),
        ]);
        (CommandOptions, double)[] flows = [(CommandOptions.Duplicate, .05), (CommandOptions.Reuse, emphasis.Reuse)];
        Flow311 = Draw.Options([.. flows, (CommandOptions.Repeat, .08)]);
        Flow5 = Draw.Options(flows);
        // Who does not come back to its session cannot go on with half a flow.
        FlowWithSession311 = Draw.Options([.. flows, (CommandOptions.Repeat, .08), (CommandOptions.Cut, emphasis.Cut)]);
        FlowWithSession5 = Draw.Options([.. flows, (CommandOptions.Cut, emphasis.Cut)]);
    }

    /// <summary>What a publication of MQTT 3.1.1 carries.</summary>
    public Gen<CommandOptions> Publication311 { get; }

    /// <summary>What a publication of MQTT 5 carries.</summary>
    public Gen<CommandOptions> Publication5 { get; }

    /// <summary>How the exchange of a publication of MQTT 3.1.1 goes.</summary>
    public Gen<CommandOptions> Flow311 { get; }

    /// <summary>How the exchange of a publication of MQTT 5 goes.</summary>
    public Gen<CommandOptions> Flow5 { get; }

    /// <summary>The same of a client that has a session.</summary>
    public Gen<CommandOptions> FlowWithSession311 { get; }

    /// <summary>The same of a client that has a session.</summary>
    public Gen<CommandOptions> FlowWithSession5 { get; }

    /// <summary>The options of an emphasis.</summary>
    /// <param name="emphasis">One of the subjects.</param>
    public static Contents Of(Emphasis emphasis) => s_all.GetOrAdd(emphasis, one => new Contents(one));
}
