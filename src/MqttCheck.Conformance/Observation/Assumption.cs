using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Conformance.Observation;

/// <summary>
/// A fault that the model assumes of the broker. It names the statements that the fault violates, and the certainty
/// that the model loses by it.
/// </summary>
internal sealed class Assumption
{
    private readonly HashSet<Statement> _statements = [];
    private readonly string? _key;
    private readonly AssumedFaults _faults;
    private readonly PublishPacket? _confused;

    private Assumption() { }

    private Assumption(Finding finding, PublishPacket? published)
    {
        _key = finding.Deviation.Key;
        if (AssumptionTable.IsOneOfMany(finding.Statement))
            return;
        (_faults, var others) = AssumptionTable.Of(finding.Statement);
        // The finding may be filed under another statement, but the assumed fault still includes the behaviour that was
        // seen.
        _faults |= AssumptionTable.Of(finding.Deviation.Statement).Faults;
        _statements = [finding.Statement, .. others];
        _confused = published;
    }

    /// <summary>The broker is taken to do nothing wrong.</summary>
    public static Assumption None { get; } = new();

    /// <summary>The broker is taken to do what a finding shows.</summary>
    /// <param name="finding">The finding.</param>
    public static Assumption Of(Finding finding)
    {
        var at = finding.Deviation.Entry;
        // This is the delivered message as published: its topic tells which messages the broker confuses.
        var published =
            at < finding.Trace.Count && finding.Trace[at].Packet is PublishPacket { Payload.IsEmpty: false } came
                ? finding
                    .Trace.Where(entry => entry.Kind == TraceKind.Sent)
                    .Select(entry => entry.Packet)
                    .OfType<PublishPacket>()
                    .FirstOrDefault(publish => publish.Payload == came.Payload)
                : null;
        return new Assumption(finding, published);
    }

    /// <summary>Whether the broker is taken to do all of it.</summary>
    /// <param name="faults">What.</param>
    public bool Has(AssumedFaults faults) => (_faults & faults) != 0;

    /// <summary>Whether a deviation is what the broker is taken to do.</summary>
    /// <param name="deviation">The deviation.</param>
    public bool Covers(Deviation deviation) =>
        _key is not null && (deviation.Key == _key || _statements.Contains(deviation.Statement));

    /// <summary>Whether a message may be taken for one of another topic, because it is like the one that was.</summary>
    /// <param name="publish">The message, with the topic that an alias stands for.</param>
    public bool MayConfuse(PublishPacket publish)
    {
        if (!Has(AssumedFaults.TopicsConfused))
            return false;
        if (_confused is null)
            return true;
        if (_confused.Properties.TopicAlias is not null)
            return publish.Properties.TopicAlias is not null;
        var marks = Wording.Levels(_confused.Topic);
        return marks.Length == 0 || marks == Wording.Levels(publish.Topic);
    }
}
