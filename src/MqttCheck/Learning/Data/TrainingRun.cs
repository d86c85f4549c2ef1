using MqttCheck.Profiles;

namespace MqttCheck.Learning.Data;

/// <summary>One training case as it ran.</summary>
/// <param name="Clients">How many clients took part.</param>
/// <param name="Exchanges">How many successful exchanges it holds.</param>
/// <param name="MessagesPerSecond">All its exchanges over the time from the first sending to the last end.</param>
internal sealed record TrainingRun(int Clients, int Exchanges, double MessagesPerSecond)
{
    /// <summary>The behaviour of the clients; null if it is unknown, so that the case cannot be replayed.</summary>
    public Population? Population { get; init; }

    /// <summary>
    /// Whether the generator was late or overloaded: then its clients waited for longer than they meant to, and a
    /// replay, which does not, is not like it.
    /// </summary>
    public bool IsInvalid { get; init; }

    /// <summary>The time from the run's zero to the last sending, in milliseconds.</summary>
    public double WindowMilliseconds { get; init; }

    /// <summary>Mean over all exchanges of the open exchanges at their start, the own included.</summary>
    public double MeanActive { get; init; } = 1;
}
