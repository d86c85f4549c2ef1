using MqttCheck.Health;
using MqttCheck.Profiles;

namespace MqttCheck.Logs;

/// <summary>One run of a log: one setup kept up for a while, a training case or a window of verification.</summary>
public sealed record RunCase
{
    /// <summary>The number in the log's column <c>run</c>.</summary>
    public required int Run { get; init; }

    /// <summary>Why the run was made.</summary>
    public required RunPurpose Purpose { get; init; }

    /// <summary>How many clients took part.</summary>
    public required int Clients { get; init; }

    /// <summary>The behaviour of the clients; null if it is unknown (a log from elsewhere).</summary>
    public Population? Population { get; init; }

    /// <summary>How long clients kept starting exchanges, if the run was limited by time.</summary>
    public TimeSpan? Duration { get; init; }

    /// <summary>How many messages each client sent, if the run was limited by their number.</summary>
    public int? MessagesPerClient { get; init; }

    /// <summary>When the run began: the zero of its times in the log.</summary>
    public DateTimeOffset? Started { get; init; }

    /// <summary>When its last exchange ended.</summary>
    public DateTimeOffset? Ended { get; init; }

    /// <summary>Whether the run went on to its planned end.</summary>
    public bool Complete { get; init; } = true;

    /// <summary>
    /// How far the run's numbers can be trusted; null where it was not judged (a log from elsewhere).
    /// </summary>
    public RunHealth? Health { get; init; }

    /// <summary>The sessions that stood when the run began; null for a run that began with none.</summary>
    internal ObservedSessions? Sessions { get; init; }

    /// <summary>When the run became stationary.</summary>
    public WarmUp WarmUp { get; init; } = WarmUp.Unknown;
}
