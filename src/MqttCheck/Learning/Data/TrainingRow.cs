using MqttCheck.Latency.Features;
using MqttCheck.Latency.Nagle;

namespace MqttCheck.Learning.Data;

/// <summary>One successful exchange.</summary>
/// <param name="Features">The features when it was sent.</param>
/// <param name="LatencyMilliseconds">How long it took, at least 0.</param>
/// <param name="Run">Position of its training case in <see cref="TrainingData.Runs"/>.</param>
internal readonly record struct TrainingRow(ExchangeFeatures Features, double LatencyMilliseconds, int Run)
{
    /// <summary>How long receivers of a publication withheld acknowledgements.</summary>
    internal NagleHold Hold { get; init; }

    /// <summary>When it was sent, in milliseconds since the run's zero.</summary>
    public double SentMilliseconds { get; init; }

    /// <summary>Whether it belongs to a reset between sequences.</summary>
    public bool Reset { get; init; }

    /// <summary>Whether no other exchange was open at any time while it was.</summary>
    public bool Alone { get; init; }

    /// <summary>How many connections were being set up when it was sent.</summary>
    public int SetUps { get; init; }

    /// <summary>
    /// How long the connection of a connect was set up before CONNECT was sent; NaN for other kinds or if unknown.
    /// </summary>
    public double SetUpMilliseconds { get; init; } = double.NaN;

    /// <summary>Whether nobody else did anything while its connection was set up.</summary>
    public bool SetUpAlone { get; init; }
}
