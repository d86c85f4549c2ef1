using MqttCheck.Json;
using MqttCheck.Statistics;

namespace MqttCheck.Health;

/// <summary>
/// The health and the warm-up of a run, in the file beside a log. Unmeasured values are left out.
/// </summary>
internal static class HealthKinds
{
    private static readonly JsonKind<LoadLoop> s_loop = JsonKinds.Word([
        ("closed", LoadLoop.Closed),
        ("open", LoadLoop.Open),
    ]);

    private static readonly JsonKind<StationarityState> s_state = JsonKinds.Word([
        ("unknown", StationarityState.Unknown),
        ("reached", StationarityState.Reached),
        ("never", StationarityState.Never),
    ]);

    /// <summary>The health of a run.</summary>
    public static JsonKind<RunHealth> Health { get; } = JsonFormat.Of<RunHealth>(Fields);

    /// <summary>The warm-up of a run.</summary>
    public static JsonKind<WarmUp> WarmUp { get; } =
        JsonFormat.Of<WarmUp>(fields =>
            new(
                fields.Required("state", s_state, warmUp => warmUp.State),
                Number(fields, "sinceSeconds", warmUp => warmUp.SinceSeconds)
            )
        );

    private static RunHealth Fields(JsonFields<RunHealth> fields)
    {
        // The verdict and the findings follow from the numbers; they are written for people and other programs.
        fields.Derived("valid", of => of.IsValid);
        var health = new RunHealth
        {
            Loop = fields.Required("loop", s_loop, of => of.Loop),
            LatencyP99Milliseconds = Number(fields, "latencyP99Milliseconds", of => of.LatencyP99Milliseconds),
            MeanWaitMilliseconds = Measured(fields, "meanWaitMilliseconds", of => of.MeanWaitMilliseconds, 1e9),
            LagMedianMicroseconds = Number(fields, "sendLagMedianMicroseconds", of => of.LagMedianMicroseconds),
            LagP99Microseconds = Number(fields, "sendLagP99Microseconds", of => of.LagP99Microseconds),
            LagMaximumMicroseconds = Number(fields, "sendLagMaximumMicroseconds", of => of.LagMaximumMicroseconds),
            GeneratorCpuShare = Number(fields, "generatorCpuShare", of => of.GeneratorCpuShare),
            StolenShare = Number(fields, "stolenShare", of => of.StolenShare),
            CollectionPauses = TimeSpan.FromMilliseconds(
                Measured(fields, "collectionPausesMilliseconds", of => of.CollectionPauses.TotalMilliseconds, 1e9)
            ),
            PendingBytesMaximum = fields.Optional(
                "pendingBytesMaximum",
                JsonKinds.Long(0, 1e15),
                of => of.PendingBytesMaximum,
                0,
                always: true
            ),
            DelayedAcknowledgementShare = Measured(
                fields,
                "delayedAcknowledgementShare",
                of => of.DelayedAcknowledgementShare,
                1
            ),
            HeldAnswerShare = Measured(fields, "heldAnswerShare", of => of.HeldAnswerShare, 1),
            BrokerCpuShare = Number(fields, "brokerCpuShare", of => of.BrokerCpuShare),
            BrokerResidentBytes = fields.Nullable(
                "brokerResidentBytes",
                JsonKinds.Long(0, 1e18),
                of => of.BrokerResidentBytes
            ),
            ClockBoundMilliseconds = Number(fields, "clockBoundMilliseconds", of => of.ClockBoundMilliseconds),
            LatencyMedianMilliseconds = Number(fields, "latencyMedianMilliseconds", of => of.LatencyMedianMilliseconds),
            LostWorker = fields.Nullable("lostWorker", JsonKinds.Text, of => of.LostWorker),
        };
        fields.Derived("findings", of => JsonNodes.Array(of.Findings, finding => finding.Code));
        return health;
    }

    private static double Number<T>(JsonFields<T> fields, string key, Func<T, double> get) =>
        Measured(fields, key, get, double.MaxValue, double.NaN);

    // Six decimals: no measurement here is finer.
    private static double Measured<T>(
        JsonFields<T> fields,
        string key,
        Func<T, double> get,
        double maximum,
        double unknown = 0
    ) =>
        fields.Nullable(
            key,
            JsonKinds.Number(0, maximum),
            of => double.IsFinite(get(of)) ? Math.Round(get(of), 6) : null
        ) ?? unknown;
}
