namespace MqttCheck.Clusters.Mosquitto.Linting;

/// <summary>Finds the lines of settings.</summary>
internal static class ConfLines
{
    /// <summary>The last line of a setting, which counts; null where it is not given.</summary>
    public static ConfLine? Find(IReadOnlyList<ConfLine> lines, string key) =>
        lines.LastOrDefault(line => line.Key == key);

    /// <summary>The line of a setting of a bridge; that of the connection where it is not given.</summary>
    public static ConfPlace PlaceOf(ConfBridge bridge, string key) => Find(bridge.Lines, key)?.Place ?? bridge.Place;

    /// <summary>The line of a setting of a file; its first one where it is not given.</summary>
    public static ConfPlace PlaceOf(MosquittoConf file, string key) =>
        Find(file.Lines, key)?.Place ?? new ConfPlace(file.File, 1);
}
