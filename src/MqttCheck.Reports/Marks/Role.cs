namespace MqttCheck.Reports.Marks;

/// <summary>
/// The meaning of a colour. The page's style sheet has a variable of each name, and pictures have its light value.
/// </summary>
internal enum Role
{
    /// <summary>Text and plain lines.</summary>
    Ink,

    /// <summary>All that stands back.</summary>
    Soft,

    /// <summary>Grids, and a cell without a value.</summary>
    Line,

    /// <summary>The ground.</summary>
    Surface,

    /// <summary>As hoped for.</summary>
    Good,

    /// <summary>As feared.</summary>
    Bad,

    /// <summary>Not decided, or to be used with care.</summary>
    Warn,

    /// <summary>The subject of a question, such as a threshold.</summary>
    Accent,

    /// <summary>The first series.</summary>
    S1,

    /// <summary>The second series.</summary>
    S2,

    /// <summary>The third series.</summary>
    S3,

    /// <summary>The fourth series.</summary>
    S4,

    /// <summary>The fifth series.</summary>
    S5,

    /// <summary>A correlation above 0.</summary>
    Positive,

    /// <summary>A correlation below 0.</summary>
    Negative,
}
