using MqttCheck.Logs;

namespace MqttCheck.Predictions;

/// <summary>Which latency model a prediction was made with.</summary>
/// <param name="File">The model file, as the user named it.</param>
/// <param name="Sha256">SHA-256 of the file's bytes, in lower-case hexadecimal.</param>
/// <param name="Kind">The kind of model.</param>
/// <param name="Broker">The broker and settings that the model was learned from, for people.</param>
public sealed record PredictionModel(string File, string Sha256, string Kind, string Broker)
{
    /// <summary>That broker in parts; null in prediction files that do not say it.</summary>
    public LoggedBroker? LearnedFrom { get; init; }

    /// <summary>
    /// The median latency of the idle broker before the training, in milliseconds; null where it was not measured.
    /// </summary>
    public double? IdleMilliseconds { get; init; }

    /// <summary>
    /// How many training cases were replayed, whose errors are in the intervals; 0 where the intervals are of the
    /// simulation alone. Null in predictions of earlier versions, whose intervals were narrower than their level said.
    /// </summary>
    public int? ReplayedCases { get; init; }
}
