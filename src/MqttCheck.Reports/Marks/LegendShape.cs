namespace MqttCheck.Reports.Marks;

/// <summary>How an entry of a legend is drawn.</summary>
internal enum LegendShape
{
    /// <summary>A line.</summary>
    Line,

    /// <summary>A dashed line.</summary>
    Dashed,

    /// <summary>A pale box.</summary>
    Band,

    /// <summary>A full box.</summary>
    Box,

    /// <summary>A symbol whose inside is full.</summary>
    Full,

    /// <summary>A symbol whose inside is empty.</summary>
    Hollow,
}
