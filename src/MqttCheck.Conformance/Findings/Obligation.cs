using MqttCheck.Conformance.Model;

namespace MqttCheck.Conformance.Findings;

/// <summary>Something that the standard demands of the broker and that has not happened yet.</summary>
/// <param name="Statement">The statement that demands it.</param>
/// <param name="Circumstances">As in <see cref="Deviation.Circumstances"/>.</param>
/// <param name="Explanation">The awaited packet, with the names of the run.</param>
/// <param name="Client">The client that waits.</param>
public sealed record Obligation(Statement Statement, string Circumstances, string Explanation, int Client)
{
    /// <summary>
    /// The publication that is awaited, where a later one of the same topic, publisher and quality of service would
    /// show that it does not come.
    /// </summary>
    internal Publication? Publication { get; init; }

    /// <summary>
    /// Whether a later publication in the same order has come already, so that this one is lost or late against the
    /// order.
    /// </summary>
    public bool Overtaken { get; init; }

    /// <summary>Whether failing it once is legal and only failing it every time is not.</summary>
    public bool MustRecur { get; init; }

    /// <summary>Statement and circumstances.</summary>
    public string Key => $"{Statement.Name}|{Circumstances}";

    /// <summary>
    /// How long it may take at least, where the standard leaves the moment open; a run that waits longer waits longer.
    /// </summary>
    public TimeSpan Grace { get; init; }

    /// <summary>
    /// The topic of a retained message that is awaited, where a message to it from the awaiting client comes by the
    /// same subscription; null for anything else.
    /// </summary>
    internal string? RetainedTopic { get; init; }

    /// <summary>Whether such a message has come: what stood in the queue before it has gone.</summary>
    public bool IsMarked { get; init; }

    internal Action? Waive { get; init; }
}
