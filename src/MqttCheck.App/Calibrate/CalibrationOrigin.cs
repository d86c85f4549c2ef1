namespace MqttCheck.App.Calibrate;

/// <summary>The measurements that calibration tables come from.</summary>
/// <param name="Repeat">The command that repeats the calibration.</param>
/// <param name="SequencesPerClient">How many sequences of each client count in a run.</param>
/// <param name="IdleMilliseconds">
/// The median latency of the idle broker before each turn, as far as it is known.
/// </param>
internal sealed record CalibrationOrigin(
    string Log,
    string Repeat,
    bool Interrupted,
    int SequencesPerClient,
    IReadOnlyList<double> IdleMilliseconds
);
