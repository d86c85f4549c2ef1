namespace MqttCheck.Reports.Documents.Lanes;

/// <summary>The colours of marks in a lane; a word stands beside each, so that nobody has to tell them apart.</summary>
internal enum LaneColour
{
    /// <summary>What should not have happened.</summary>
    Bad,

    /// <summary>What nobody knows.</summary>
    Open,

    /// <summary>What happened more than once.</summary>
    Twice,

    /// <summary>What happened too late.</summary>
    Slow,

    /// <summary>What happened as it should.</summary>
    Good,
}
