using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Statistics;

namespace MqttCheck.Brokers.Fleets;

/// <summary>
/// Collects the data for the <see cref="RunHealth"/> and the warm-up of a run. Lives on the wire's thread; nothing here
/// allocates per exchange.
/// </summary>
/// <param name="nowNanoseconds">When the run begins, on this thread.</param>
/// <param name="brokerProcess">The broker's process, or null if it is none of this machine.</param>
/// <param name="stages">The stages of the load over time; null if there is only one.</param>
internal sealed class RunDiagnosis(long nowNanoseconds, int? brokerProcess, StageClock? stages = null)
{
    private readonly DurationCounts _latencies = new();
    private readonly WarmUpDetector _warmUp = new(stages);
    private readonly UsageReading _before = UsageReading.Take(brokerProcess, nowNanoseconds);
    private NagleDelays _delayed;
    private long _pendingBytes,
        _waits;
    private double _waited;
    private ProcessUsage? _brokerAfter;
    private long _brokerReadAt = nowNanoseconds;

    /// <summary>How late requests left.</summary>
    public DurationCounts Lag { get; } = new();

    /// <summary>Watches for deliveries that come only after the next request of their receiver.</summary>
    public HeldAnswers Held { get; } = new();

    /// <summary>When the run became stationary.</summary>
    public WarmUp WarmUp => _warmUp.Find();

    /// <summary>The median latency so far; NaN without any.</summary>
    public double LatencyMedianMilliseconds => _latencies.QuantileNanoseconds(0.5) / 1e6;

    /// <summary>Notes the wait that a client plans before its next request.</summary>
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

    /// <summary>Notes the end of the load, after which clients only clean up.</summary>
    public void LoadEnded(long nowNanoseconds)
    {
        _brokerReadAt = nowNanoseconds;
        if (brokerProcess is { } id)
            _brokerAfter = ProcessUsage.Read(id);
    }

    /// <summary>The run has ended on this thread.</summary>
    public RunHealth Conclude(long nowNanoseconds)
    {
        var now = UsageReading.Take(brokerProcessId: null, nowNanoseconds);
        var wall = (double)(nowNanoseconds - _before.WallNanoseconds);
        return new()
        {
            Loop = LoadLoop.Closed,
            LatencyP99Milliseconds = _latencies.QuantileNanoseconds(0.99) / 1e6,
            MeanWaitMilliseconds = _waits == 0 ? 0 : _waited / _waits,
            LagMedianMicroseconds = Lag.QuantileNanoseconds(0.5) / 1e3,
            LagP99Microseconds = Lag.QuantileNanoseconds(0.99) / 1e3,
            LagMaximumMicroseconds = Lag.Count == 0 ? double.NaN : Lag.MaximumNanoseconds / 1e3,
            GeneratorCpuShare = (now.ThreadNanoseconds - _before.ThreadNanoseconds) / wall ?? double.NaN,
            StolenShare = _before.Host is { } host && now.Host is { } after ? after.StolenShareSince(host) : double.NaN,
            CollectionPauses = now.CollectionPauses - _before.CollectionPauses,
            PendingBytesMaximum = _pendingBytes,
            DelayedAcknowledgementShare = _delayed.Share,
            HeldAnswerShare = Held.Share,
            BrokerCpuShare =
                _brokerAfter is { } last && _before.Broker is { } first && _brokerReadAt > _before.WallNanoseconds
                    ? (last.ProcessorTime - first.ProcessorTime).TotalNanoseconds
                        / (_brokerReadAt - _before.WallNanoseconds)
                    : double.NaN,
            BrokerResidentBytes = _brokerAfter?.ResidentBytes,
        };
    }
}
