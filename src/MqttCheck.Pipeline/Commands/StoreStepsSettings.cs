using System.Globalization;

namespace MqttCheck.Pipeline.Commands;

/// <summary>The settings of <c>mqttcheck-pipeline store-steps</c>.</summary>
internal sealed record StoreStepsSettings
{
    /// <summary>The keys, as the usage shows them.</summary>
    public const string Keys = "[seconds=S] [batch=N] [redis=memory|disk] [postgres=disk|later]";

    /// <summary>How long to measure in all. Default 100.</summary>
    public int Seconds { get; private init; } = 100;

    /// <summary>
    /// How many requests PostgreSQL commits together, and Redis has from an asynchronous client at a time. Default
    /// 150, as in the article's first table.
    /// </summary>
    public int Batch { get; private init; } = 150;

    /// <summary>Whether Redis writes each change to its disk before it answers. Default no.</summary>
    public bool IsRedisDurable { get; private init; }

    /// <summary>Whether PostgreSQL answers before a commit is on the disk. Default no.</summary>
    public bool CommitsLater { get; private init; }

    /// <summary>Reads them; null if one is not allowed.</summary>
    public static StoreStepsSettings? Parse(IEnumerable<string> words)
    {
        StoreStepsSettings? settings = new();
        foreach (var word in words)
            settings = word.Split('=') is [var key, var value] ? settings?.With(key, value) : null;
        return settings;
    }

    private StoreStepsSettings? With(string key, string value) =>
        (key, value) switch
        {
            ("seconds", _) when Number(value) is { } seconds => this with { Seconds = seconds },
            ("batch", _) when Number(value) is { } batch => this with { Batch = batch },
            ("redis", "memory") => this with { IsRedisDurable = false },
            ("redis", "disk") => this with { IsRedisDurable = true },
            ("postgres", "disk") => this with { CommitsLater = false },
            ("postgres", "later") => this with { CommitsLater = true },
            _ => null,
        };

    private static int? Number(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number > 0
            ? number
            : null;
}
