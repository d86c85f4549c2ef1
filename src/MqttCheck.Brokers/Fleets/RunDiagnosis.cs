using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// Collects during a run what its <see cref="RunHealth"/> and its warm-up are made of. Lives on the wire's thread;
/// nothing here allocates per exchange.
/// </summary>
internal sealed class RunDiagnosis
{
    private readonly DurationCounts _latencies = new();
    private readonly WarmUpDetector _warmUp;
    private readonly int? _brokerProcess;
    private readonly TimeSpan _pausesBefore = GC.GetTotalPauseDuration();
    private readonly long? _cpuBefore = ThreadClock.ReadNanoseconds();
    private readonly HostUsage? _hostBefore = HostUsage.Read();
    private readonly ProcessUsage? _brokerBefore;
    private readonly long _wallBefore;
    private NagleDelays _delayed;
    private long _pendingBytes,
        _waits;
    private double _waited;
    private ProcessUsage? _brokerAfter;
    private long _brokerReadAt;

    /// <summary>The run begins on this thread.</summary>
    /// <param name="nowNanoseconds">When.</param>
    /// <param name="brokerProcess">The broker's process, or null if it is none of this machine.</param>
    /// <param name="stages">When which stage of the load is; null where there is but one.</param>
    public RunDiagnosis(long nowNanoseconds, int? brokerProcess, StageClock? stages = null)
    {
        _warmUp = new(stages);
        (_wallBefore, _brokerReadAt, _brokerProcess) = (nowNanoseconds, nowNanoseconds, brokerProcess);
        _brokerBefore = brokerProcess is { } id ? ProcessUsage.Read(id) : null;
    }

    /// <summary>How late requests left.</summary>
    public DurationCounts Lag { get; } = new();

    /// <summary>When the run became stationary.</summary>
    public WarmUp WarmUp => _warmUp.Find();

    /// <summary>The median latency so far; NaN without any.</summary>
    public double LatencyMedianMilliseconds =>
        _latencies.Count == 0 ? double.NaN : _latencies.QuantileNanoseconds(0.5) / 1e6;

    /// <summary>A client means to wait before its next request.</summary>
    public void Waits(double milliseconds)
    {
        _waited += milliseconds;
        _waits++;
    }

    /// <summary>Bytes wait to be sent on some connection.</summary>
    public void Pending(int bytes) => _pendingBytes = Math.Max(_pendingBytes, bytes);

    /// <summary>An exchange ended.</summary>
    public void Ended(in Exchange exchange)
    {
        if (exchange.Outcome != ExchangeOutcome.Success || exchange.Phase == ExchangePhase.Reset)
            return;
        _latencies.Add((long)(exchange.LatencyMilliseconds * 1e6));
        _delayed.Add(exchange.LatencyMilliseconds);
        _warmUp.Add(exchange);
    }

    /// <summary>The load ends now; what follows is cleaning up.</summary>
    public void LoadEnded(long nowNanoseconds)
    {
        _brokerReadAt = nowNanoseconds;
        if (_brokerProcess is { } id)
            _brokerAfter = ProcessUsage.Read(id);
    }

    /// <summary>The run has ended on this thread.</summary>
    public RunHealth Conclude(long nowNanoseconds)
    {
        var cpu = ThreadClock.ReadNanoseconds() - _cpuBefore;
        return new()
        {
            Loop = LoadLoop.Closed,
            LatencyP99Milliseconds = _latencies.Count == 0 ? double.NaN : _latencies.QuantileNanoseconds(0.99) / 1e6,
            MeanWaitMilliseconds = _waits == 0 ? 0 : _waited / _waits,
            LagMedianMicroseconds = Microseconds(Lag, 0.5),
            LagP99Microseconds = Microseconds(Lag, 0.99),
            LagMaximumMicroseconds = Lag.Count == 0 ? double.NaN : Lag.MaximumNanoseconds / 1e3,
            GeneratorCpuShare = cpu / (double)(nowNanoseconds - _wallBefore) ?? double.NaN,
            StolenShare =
                _hostBefore is { } host && HostUsage.Read() is { } now ? now.StolenShareSince(host) : double.NaN,
            CollectionPauses = GC.GetTotalPauseDuration() - _pausesBefore,
            PendingBytesMaximum = _pendingBytes,
            DelayedAcknowledgementShare = _delayed.Share,
            BrokerCpuShare =
                _brokerAfter is { } after && _brokerBefore is { } before && _brokerReadAt > _wallBefore
                    ? (after.ProcessorTime - before.ProcessorTime).TotalNanoseconds / (_brokerReadAt - _wallBefore)
                    : double.NaN,
            BrokerResidentBytes = _brokerAfter?.ResidentBytes,
        };
    }

    private static double Microseconds(DurationCounts histogram, double share) =>
        histogram.Count == 0 ? double.NaN : histogram.QuantileNanoseconds(share) / 1e3;
}
