namespace MqttCheck.Latency.Models;

/// <summary>A growing sample of latencies with weights; reused for many tables.</summary>
internal sealed class WeightedSample
{
    private double[] _milliseconds = new double[512];
    private double[] _weights = new double[512];

    /// <summary>How many latencies there are.</summary>
    public int Count { get; private set; }

    /// <summary>The latencies.</summary>
    public ReadOnlySpan<double> Milliseconds => _milliseconds.AsSpan(0, Count);

    /// <summary>Their weights.</summary>
    public ReadOnlySpan<double> Weights => _weights.AsSpan(0, Count);

    /// <summary>Empties the sample.</summary>
    public void Clear() => Count = 0;

    /// <summary>Adds a latency.</summary>
    /// <param name="milliseconds">The latency.</param>
    /// <param name="weight">Its weight, positive.</param>
    public void Add(double milliseconds, double weight)
    {
        if (Count == _milliseconds.Length)
        {
            Array.Resize(ref _milliseconds, 2 * Count);
            Array.Resize(ref _weights, 2 * Count);
        }
        _milliseconds[Count] = milliseconds;
        _weights[Count++] = weight;
    }

    /// <summary>Puts the latencies into ascending order, each with its weight.</summary>
    public void Sort() => Array.Sort(_milliseconds, _weights, 0, Count);
}
