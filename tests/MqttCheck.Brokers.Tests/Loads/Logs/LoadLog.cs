using System.Collections.Immutable;
using MqttCheck.Brokers.Loads;
using MqttCheck.Brokers.Loads.Logs;
using MqttCheck.Brokers.Loads.Messages;

namespace MqttCheck.Brokers.Tests.Loads.Logs;

/// <summary>A message log that was read.</summary>
internal sealed record LoadLog
{
    /// <summary>
    /// The messages in the order in which their outcomes were known, those of the warm-up among them.
    /// </summary>
    public required ImmutableArray<LoadMessage> Messages { get; init; }

    /// <summary>Further arrivals of messages.</summary>
    public required ImmutableArray<LoadRepeat> Repeats { get; init; }

    /// <summary>Whether the messages can be used; null for the log of a run that did not come to its end.</summary>
    public required LoadVerdict? Verdict { get; init; }

    /// <summary>What was left out, or is missing.</summary>
    public required IReadOnlyList<string> Warnings { get; init; }
}
