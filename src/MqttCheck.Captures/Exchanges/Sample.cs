namespace MqttCheck.Captures.Exchanges;

/// <summary>Numbers of which a fair part is kept, so that a capture of any length needs little memory.</summary>
internal sealed class Sample
{
    private const int Most = 1024;

    private readonly List<float> _kept = [];
    private ulong _random = 0x9E3779B97F4A7C15;
    private double _sum,
        _squares;

    /// <summary>How many numbers there were.</summary>
    public long Count { get; private set; }

    /// <summary>The smallest of all.</summary>
    public double Smallest { get; private set; } = double.PositiveInfinity;

    /// <summary>The largest of all.</summary>
    public double Largest { get; private set; } = double.NegativeInfinity;

    /// <summary>The mean of all; NaN without any.</summary>
    public double Mean => _sum / Count;

    /// <summary>The standard deviation of all.</summary>
    public double Deviation => Math.Sqrt(Math.Max(0, _squares / Count - Mean * Mean));

    /// <summary>The standard deviation relative to the mean; 0 without one.</summary>
    public double Variation => Mean > 0 ? Deviation / Mean : 0;

    /// <summary>The numbers that were kept.</summary>
    public IReadOnlyList<float> Kept => _kept;

    /// <summary>The numbers of several samples as one.</summary>
    public static Sample Of(IEnumerable<Sample> samples)
    {
        var all = new Sample();
        foreach (var sample in samples)
        {
            all.Count += sample.Count;
            all._sum += sample._sum;
            all._squares += sample._squares;
            all.Smallest = Math.Min(all.Smallest, sample.Smallest);
            all.Largest = Math.Max(all.Largest, sample.Largest);
            all._kept.AddRange(sample._kept);
        }
        return all;
    }

    /// <summary>Adds a number.</summary>
    public void Add(double value)
    {
        Count++;
        _sum += value;
        _squares += value * value;
        Smallest = Math.Min(Smallest, value);
        Largest = Math.Max(Largest, value);
        if (_kept.Count < Most)
        {
            _kept.Add((float)value);
            return;
        }
        _random ^= _random << 13;
        _random ^= _random >> 7;
        _random ^= _random << 17;
        var place = _random % (ulong)Count;
        if (place < Most)
            _kept[(int)place] = (float)value;
    }
}
