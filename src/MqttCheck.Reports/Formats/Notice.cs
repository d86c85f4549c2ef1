namespace MqttCheck.Reports.Formats;

/// <summary>How much a notice takes from the numbers.</summary>
internal enum NoticeLevel
{
    /// <summary>Good to know.</summary>
    Note,

    /// <summary>The numbers are less than they seem.</summary>
    Warning,

    /// <summary>Something failed.</summary>
    Failure,
}

/// <summary>Something the reader must know before believing the numbers.</summary>
internal sealed record Notice(NoticeLevel Level, string Title, string Text)
{
    /// <summary>Further sentences that say the same of other setups or with other numbers.</summary>
    public IReadOnlyList<string> Others { get; init; } = [];

    /// <summary>How many others there are, with a space before it; empty where there is none.</summary>
    public string More => Others.Count == 0 ? "" : $" ({Words.Count(Others.Count)} more like it.)";
}
