using System.Globalization;

namespace MqttCheck.Server.Questions;

/// <summary>A threshold that a command line can name: what is simulated is what the command reads.</summary>
/// <param name="milliseconds">Milliseconds, at least half of .0001.</param>
internal sealed class Threshold(double milliseconds)
{
    /// <summary>How many decimals of a millisecond count: 100 ns.</summary>
    public const int Decimals = 4;

    /// <summary>The number that was asked for, in milliseconds.</summary>
    public double Asked { get; } = Math.Round(milliseconds, Decimals);

    /// <summary>The threshold of the simulation, in milliseconds: a duration has whole ticks.</summary>
    public double Milliseconds => TimeSpan.FromMilliseconds(Asked).TotalMilliseconds;

    /// <summary>The threshold as on a command line, such as <c>20.5ms</c>.</summary>
    public string Option => Asked.ToString("0.####", CultureInfo.InvariantCulture) + "ms";
}
