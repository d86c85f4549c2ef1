using MqttCheck.Clients;

namespace MqttCheck.Latency;

/// <summary>A summary of the data that a model was learned from.</summary>
public sealed record TrainingSummary
{
    /// <summary>How many training cases.</summary>
    public required int Cases { get; init; }

    /// <summary>
    /// How many successful exchanges of each kind, by <see cref="MessageKind"/>; 0 for a kind that the model cannot
    /// predict.
    /// </summary>
    public required IReadOnlyList<int> ExchangesByKind { get; init; }

    /// <summary>How many exchanges were left out because they did not succeed.</summary>
    public required int FailedExchanges { get; init; }

    /// <summary>The SHA-256 of each log, in lower-case hexadecimal digits.</summary>
    public required IReadOnlyList<string> LogSha256 { get; init; }

    /// <summary>The seed of the runs.</summary>
    public required ulong Seed { get; init; }

    /// <summary>Whether the training was short, so that the model is rough.</summary>
    public bool Coarse { get; init; }

    /// <summary>The behaviour of the clients; null in a model file that does not say.</summary>
    public TrainingProfile? Profile { get; init; }

    /// <summary>
    /// The remarks of the learner, such as a kind that was never seen or a feature that never changed.
    /// </summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>Those of the notes that say not to rely on the model.</summary>
    public IReadOnlyList<string> Cautions { get; init; } = [];
}
