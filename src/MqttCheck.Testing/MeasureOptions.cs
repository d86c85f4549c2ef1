using MqttCheck.Protocol;

namespace MqttCheck.Testing;

/// <summary>
/// The options for loading a broker while it is measured. Options that are not given come from the environment of the
/// test, then from the defaults.
/// </summary>
public sealed record MeasureOptions
{
    /// <summary>The environment variable that holds the seed.</summary>
    public const string SeedVariable = "MQTTCHECK_SEED";

    /// <summary>
    /// The seed of every choice that the clients make. Default: environment variable <see cref="SeedVariable"/>,
    /// otherwise 1.
    /// </summary>
    public ulong? Seed { get; init; }

    /// <summary>
    /// How many sequences of each client count in each run, at least 1; null (the default) for as many as the
    /// requirement needs.
    /// </summary>
    public int? SequencesPerClient { get; init; }

    /// <summary>
    /// How many requests all clients together may send per second, or null (the default) for no limit.
    /// </summary>
    public double? MaximumRequestsPerSecond { get; init; }

    /// <summary>The version of MQTT that the clients speak. Default 3.1.1.</summary>
    public ProtocolVersion ProtocolVersion { get; init; } = ProtocolVersion.V311;

    /// <summary>How long an exchange may take before it has failed, 10 ms .. 10 min. Default 10 s.</summary>
    public TimeSpan ExchangeTimeout { get; init; } = TimeSpan.FromSeconds(10);

    internal ulong EffectiveSeed => SeedOf(Seed);

    /// <summary>The seed that applies where one may be given.</summary>
    internal static ulong SeedOf(ulong? given) => given ?? FromEnvironment() ?? 1;

    private static ulong? FromEnvironment()
    {
        if (Environment.GetEnvironmentVariable(SeedVariable) is not { Length: > 0 } text)
            return null;
        return ulong.TryParse(
            text,
            System.Globalization.NumberStyles.None,
            System.Globalization.CultureInfo.InvariantCulture,
            out var seed
        )
            ? seed
            : throw new InputException(
                $"environment variable {SeedVariable}: '{text}' given; allowed: a whole number from 0 to "
                    + $"{ulong.MaxValue}"
            );
    }
}
