namespace MqttCheck.Auditing.Promises;

/// <summary>The promises of one kind of test, as cells of the table of promises.</summary>
internal interface IPromiseAudit
{
    /// <summary>A heading for the table.</summary>
    string Title { get; }

    /// <summary>A description of the simulations, in a sentence or two for the reader of the table.</summary>
    string Description { get; }

    /// <summary>The cells, in the order of the table.</summary>
    IReadOnlyList<PromiseCell> Cells { get; }
}
