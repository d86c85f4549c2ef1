namespace MqttCheck.Reports.Documents.Lanes;

/// <summary>The colours of marks in a lane; a word stands beside each, so that nobody has to tell them apart.</summary>
internal enum LaneColour
{
    /// <summary>Something that should not have happened.</summary>
    Bad,

    /// <summary>Something that nobody knows.</summary>
    Open,

    /// <summary>Something that happened more than once.</summary>
    Twice,

    /// <summary>Something that happened too late.</summary>
    Slow,

    /// <summary>Something that happened as it should.</summary>
    Good,
}
