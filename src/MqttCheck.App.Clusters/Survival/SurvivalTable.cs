namespace MqttCheck.App.Clusters.Survival;

/// <summary>The table: a row for each fault, a column for each thing that a broker promises to keep.</summary>
internal sealed class SurvivalTable
{
    /// <summary>The table before any run.</summary>
    /// <param name="request">What is asked.</param>
    /// <param name="maximumQos">The highest quality of service that the brokers take.</param>
    public SurvivalTable(SurvivalRequest request, int maximumQos)
    {
        Rows = request.Rows;
        MaximumQos = maximumQos;
        foreach (var row in Rows)
        {
            var untried = request.WhyNotTried(row);
            Cells[row] =
            [
                .. SurvivalColumn.All.Select(column =>
                    column.WhyNot(request.Topology, maximumQos) is { } unpromised
                        ? new SurvivalCell(row, column, SurvivalVerdict.NotPromised, unpromised)
                    : untried is { } why ? new SurvivalCell(row, column, SurvivalVerdict.NotTried, why)
                    : new SurvivalCell(row, column)
                ),
            ];
        }
        Columns = [.. SurvivalColumn.All.Where((_, place) => Cells.Values.Any(cells => IsShown(cells[place])))];
    }

    /// <summary>The highest quality of service that the brokers take.</summary>
    public int MaximumQos { get; }

    /// <summary>The rows.</summary>
    public IReadOnlyList<SurvivalRow> Rows { get; }

    /// <summary>The columns in which something is promised.</summary>
    public IReadOnlyList<SurvivalColumn> Columns { get; }

    /// <summary>All cells of a row, also those of columns that are not shown.</summary>
    public Dictionary<SurvivalRow, IReadOnlyList<SurvivalCell>> Cells { get; } = [];

    /// <summary>All cells.</summary>
    public IEnumerable<SurvivalCell> All => Rows.SelectMany(row => Cells[row]);

    /// <summary>The rows that are tried.</summary>
    public IReadOnlyList<SurvivalRow> TriedRows => [.. Rows.Where(row => Cells[row].Any(cell => cell.IsTried))];

    /// <summary>How many cells are tried: so many parts the error has.</summary>
    public int TriedCells => All.Count(cell => cell.IsTried);

    /// <summary>The columns without anything promised, each with the reason.</summary>
    public IEnumerable<(SurvivalColumn Column, string Why)> Unpromised =>
        SurvivalColumn.All.Except(Columns).Select(column => (column, All.First(cell => cell.Column == column).Why));

    /// <summary>The cell of a row and a column.</summary>
    public SurvivalCell this[SurvivalRow row, SurvivalColumn column] => Cells[row].First(cell => cell.Column == column);

    /// <summary>Whether more runs of a row say more.</summary>
    /// <param name="row">The row.</param>
    /// <param name="most">How many runs are enough; null for any number.</param>
    public bool IsOpen(SurvivalRow row, int? most) => Cells[row].Any(cell => cell.IsOpen(most));

    private static bool IsShown(SurvivalCell cell) => cell.Verdict != SurvivalVerdict.NotPromised;
}
