using MqttCheck.Profiles;

namespace MqttCheck.Testing;

/// <summary>
/// The built-in usage profiles, for <c>using static MqttCheck.Testing.UsageProfiles;</c>. Others are read by
/// <see cref="ProfileFile.Read(string)"/> or made in code.
/// </summary>
public static class UsageProfiles
{
    /// <summary>
    /// Usage profile 1: mixed messages, up to half a second apart; a sequence of 10 takes 2.5 s on average.
    /// </summary>
    public static Population UP1 => ProfileFile.Read("up1");

    /// <summary>
    /// Usage profile 2: mostly publications, 50 .. 250 ms apart; a sequence of 10 takes 1.5 s on average.
    /// </summary>
    public static Population UP2 => ProfileFile.Read("up2");

    /// <summary>A population of sensors, dashboards and a gateway.</summary>
    public static Population MixedPopulation => ProfileFile.Read("population");
}
