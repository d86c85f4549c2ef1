namespace MqttCheck.Reports.Marks;

/// <summary>The form of a point: what colours tell apart, forms tell apart too.</summary>
internal enum Symbol
{
    /// <summary>A disc.</summary>
    Circle,

    /// <summary>A square.</summary>
    Square,

    /// <summary>A triangle that stands on its side.</summary>
    Triangle,

    /// <summary>A square that stands on its corner.</summary>
    Diamond,

    /// <summary>Three arms from the middle.</summary>
    Wye,

    /// <summary>Two crossing lines.</summary>
    Times,
}
