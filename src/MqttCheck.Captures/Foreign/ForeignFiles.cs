namespace MqttCheck.Captures.Foreign;

/// <summary>Recognises and reads the logs of other programs.</summary>
internal static class ForeignFiles
{
    /// <summary>The known formats, for messages.</summary>
    public const string Formats = "JMeter (JTL as CSV), MQTTLoader, fields of tshark, or any CSV with --columns";

    /// <summary>Whether a file is in one of the known formats, by its first line.</summary>
    public static bool IsKnown(string path)
    {
        var line = CsvTable.FirstLine(path);
        return JMeterLog.IsHeader(line)
            || JMeterLog.IsXml(line)
            || TsharkFields.IsHeader(line)
            || MqttLoaderLog.IsRecord(line);
    }

    /// <summary>Reads a file.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="columns">The columns of a file in no known format; null for one that is in a known one.</param>
    /// <param name="ports">The ports of the broker, for fields of packets.</param>
    /// <exception cref="InputException">It cannot be read; the message says where and what is allowed.</exception>
    public static ForeignLog Read(string path, ColumnMap? columns, IReadOnlyCollection<int> ports)
    {
        if (columns is not null)
            return MappedLog.Read(path, columns);
        var line = CsvTable.FirstLine(path);
        if (JMeterLog.IsXml(line))
            throw JMeterLog.Xml(path);
        return JMeterLog.IsHeader(line) ? JMeterLog.Read(path)
            : TsharkFields.IsHeader(line) ? TsharkFields.Read(path, ports)
            : MqttLoaderLog.IsRecord(line) ? MqttLoaderLog.Read(path)
            : throw new InputException($"log \"{path}\": its format is not known; allowed: {Formats}");
    }
}
