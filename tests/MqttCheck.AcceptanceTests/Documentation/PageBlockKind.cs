namespace MqttCheck.AcceptanceTests.Documentation;

/// <summary>What a part of a page is.</summary>
internal enum PageBlockKind
{
    /// <summary>A paragraph or an item of a list.</summary>
    Prose,

    /// <summary>A row of a table.</summary>
    Row,

    /// <summary>A heading.</summary>
    Heading,
}
