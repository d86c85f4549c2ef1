namespace MqttCheck.Brokers.Processes.Settings;

/// <summary>
/// A setting of a broker that its users change to be safer, or faster. A name of a broker carries it as
/// <c>mosquitto:autosave=1s</c>.
/// </summary>
internal sealed record BrokerSetting
{
    /// <summary>The broker.</summary>
    public required BrokerKind Kind { get; init; }

    /// <summary>The name of the setting.</summary>
    public required string Name { get; init; }

    /// <summary>The values that are allowed, separated by bars, or the word that stands for them.</summary>
    public required string Values { get; init; }

    /// <summary>The value where a user gives none.</summary>
    public required string Default { get; init; }

    /// <summary>The effect, in a clause.</summary>
    public required string Effect { get; init; }

    /// <summary>The price, in a clause.</summary>
    public required string Cost { get; init; }

    /// <summary>The first version of the broker that has it; null where all have it that are started here.</summary>
    public Version? Since { get; init; }

    /// <summary>The behaviour of older versions, in a clause; empty where all have the setting.</summary>
    public string Before { get; init; } = "";

    /// <summary>The form in a broker's name.</summary>
    public string Form => $"{Name}={Values}";

    /// <summary>Whether a value is allowed.</summary>
    /// <param name="value">The value.</param>
    public bool Allows(string value) =>
        Values.Split('|').Contains(value)
        || (Values.Split('|').Contains(SettingTime.Word) && SettingTime.TryParse(value, out _));
}
