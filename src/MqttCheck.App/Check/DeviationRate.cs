using MqttCheck.Statistics;

namespace MqttCheck.App.Check;

/// <summary>How often a deviation happens, as the file has it.</summary>
/// <param name="Key">Statement and circumstances.</param>
/// <param name="Scenarios">In how many scenarios it was seen; each counts once.</param>
/// <param name="PerMillion">How often it was seen per million commands.</param>
/// <param name="Lower">The lower end of the 95 % interval, per million commands.</param>
/// <param name="Upper">The upper end.</param>
internal sealed record DeviationRate(string Key, long Scenarios, double PerMillion, double Lower, double Upper)
{
    /// <summary>How likely the interval contains the rate.</summary>
    public const double Confidence = .95;

    /// <summary>
    /// The rate of what was seen in a number of scenarios. Scenarios are drawn independently, and what is seen in few
    /// of many has a Poisson law.
    /// </summary>
    public static DeviationRate Of(string key, long scenarios, long commands)
    {
        var million = 1e6 / Math.Max(1, commands);
        var interval = PoissonInterval.Of(scenarios, Confidence);
        return new(key, scenarios, scenarios * million, interval.Lower * million, interval.Upper * million);
    }
}
