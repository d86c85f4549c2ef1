namespace MqttCheck.Statistics;

/// <summary>Whether and from when on a series is stationary.</summary>
public enum StationarityState : byte
{
    /// <summary>Too few values to tell.</summary>
    Unknown,

    /// <summary>No change was found in the part that begins at the time given.</summary>
    Reached,

    /// <summary>Changes were found until less than half of the series was left.</summary>
    Never,
}
