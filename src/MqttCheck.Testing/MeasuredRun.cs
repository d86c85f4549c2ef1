using MqttCheck.Clients;
using MqttCheck.Health;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Testing;

/// <summary>One run of a measurement.</summary>
public abstract class MeasuredRun : IMadeRun
{
    private protected MeasuredRun() { }

    /// <summary>The counted sequences in the order in which they began.</summary>
    public abstract IReadOnlyList<Outcome> Outcomes { get; }

    /// <summary>How busy and how late the generator was: whether the run's numbers can be used.</summary>
    public abstract RunHealth Health { get; }

    /// <summary>When the run's latencies became stationary, or that they never did.</summary>
    public abstract WarmUp WarmUp { get; }

    /// <summary>
    /// The latencies of the samples that count, in the order in which they began, up to the first that the end of the
    /// run cut: counting the later ones too would favour fast ones.
    /// </summary>
    /// <param name="latency">Which latency.</param>
    /// <param name="perMessage">
    /// Whether a sample is a message or a step; otherwise it is a sequence, whose latency is its largest.
    /// </param>
    /// <param name="step">The name of the steps that count, where the sequences have steps; null for all.</param>
    /// <returns>Milliseconds, positive infinity for a sample that failed.</returns>
    public abstract IReadOnlyList<double> Samples(MeasuredLatency latency, bool perMessage, string? step = null);
}
