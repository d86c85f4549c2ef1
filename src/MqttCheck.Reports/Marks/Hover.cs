namespace MqttCheck.Reports.Marks;

/// <summary>Which text the pointer shows: that of the point nearest to it.</summary>
internal enum Hover
{
    /// <summary>Nearest in the plane.</summary>
    Point,

    /// <summary>Nearest across, wherever the pointer is up or down.</summary>
    Across,

    /// <summary>Nearest up or down: the row.</summary>
    Row,
}
