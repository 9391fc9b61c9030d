/* eslint-disable */
import * as types from './graphql';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  mutation CreateAccount($input: CreateAccountInput!) {\n    createAccount(input: $input) {\n      account {\n        accountId\n      }\n    }\n  }\n": typeof types.CreateAccountDocument,
    "\n  query MyAccounts {\n    me {\n      id\n      memberships {\n        account {\n          accountId\n          name\n        }\n      }\n    }\n  }\n": typeof types.MyAccountsDocument,
    "\n  mutation ImportAgent($input: ImportAgentInput!) {\n    importAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n      notes {\n        line\n        path\n        message\n      }\n      moreNotes\n    }\n  }\n": typeof types.ImportAgentDocument,
    "\n  query AgentFileHead($id: ID!) {\n    agent(id: $id) {\n      id\n      fileHead\n    }\n  }\n": typeof types.AgentFileHeadDocument,
    "\n  query AgentFileSources($id: ID!, $first: Int!, $after: String, $length: Int!) {\n    agent(id: $id) {\n      id\n      knowledge(first: $first, after: $after) {\n        nodes {\n          id\n          kind\n          name\n          state\n          pages\n          characters\n          inDraft\n          question\n          text(offset: 0, length: $length)\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.AgentFileSourcesDocument,
    "\n  query KnowledgeUse($id: ID!) {\n    agent(id: $id) {\n      id\n      knowledgeUse {\n        sources\n        maxSources\n        passages\n        maxPassages\n        bytes\n        maxBytes\n        mode\n      }\n    }\n  }\n": typeof types.KnowledgeUseDocument,
    "\n  query Knowledge($id: ID!, $first: Int, $after: String) {\n    agent(id: $id) {\n      id\n      knowledge(first: $first, after: $after) {\n        nodes {\n          id\n          kind\n          name\n          state\n          reason\n          size\n          characters\n          passages\n          pages\n          createdAt\n          inDraft\n          inVersions\n          notes {\n            code\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.KnowledgeDocument,
    "\n  query KnowledgeSource($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on KnowledgeSource {\n        id\n        kind\n        name\n        state\n        reason\n        size\n        characters\n        passages\n        pages\n        createdAt\n        inDraft\n        inVersions\n        question\n        encoding\n        notes {\n          code\n          message\n          sample\n          encoding\n        }\n      }\n    }\n  }\n": typeof types.KnowledgeSourceDocument,
    "\n  query KnowledgeText($id: ID!, $offset: Int!, $length: Int!) {\n    node(id: $id) {\n      __typename\n      ... on KnowledgeSource {\n        id\n        characters\n        text(offset: $offset, length: $length)\n      }\n    }\n  }\n": typeof types.KnowledgeTextDocument,
    "\n  query SearchKnowledge($agentId: ID!, $message: String!) {\n    searchKnowledge(agentId: $agentId, message: $message) {\n      source {\n        id\n        name\n      }\n      heading\n      page\n      text\n      score\n      words\n    }\n  }\n": typeof types.SearchKnowledgeDocument,
    "\n  mutation AddKnowledgeText($input: AddKnowledgeTextInput!) {\n    addKnowledgeText(input: $input) {\n      source {\n        id\n        name\n      }\n    }\n  }\n": typeof types.AddKnowledgeTextDocument,
    "\n  mutation AddKnowledgeAnswer($input: AddKnowledgeAnswerInput!) {\n    addKnowledgeAnswer(input: $input) {\n      source {\n        id\n        name\n      }\n    }\n  }\n": typeof types.AddKnowledgeAnswerDocument,
    "\n  mutation ImportKnowledgeAnswers($input: ImportKnowledgeAnswersInput!) {\n    importKnowledgeAnswers(input: $input) {\n      header\n      rows {\n        row\n        questions\n        answer\n        problem\n      }\n      added\n      notes {\n        code\n        message\n        sample\n        encoding\n      }\n    }\n  }\n": typeof types.ImportKnowledgeAnswersDocument,
    "\n  mutation AddKnowledgeFile($input: AddKnowledgeFileInput!) {\n    addKnowledgeFile(input: $input) {\n      source {\n        id\n      }\n    }\n  }\n": typeof types.AddKnowledgeFileDocument,
    "\n  mutation RetryKnowledgeSource($input: RetryKnowledgeSourceInput!) {\n    retryKnowledgeSource(input: $input) {\n      source {\n        id\n      }\n    }\n  }\n": typeof types.RetryKnowledgeSourceDocument,
    "\n  mutation ReplaceKnowledgeSource($input: ReplaceKnowledgeSourceInput!) {\n    replaceKnowledgeSource(input: $input) {\n      source {\n        id\n        name\n      }\n    }\n  }\n": typeof types.ReplaceKnowledgeSourceDocument,
    "\n  mutation RemoveKnowledgeSource($input: RemoveKnowledgeSourceInput!) {\n    removeKnowledgeSource(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": typeof types.RemoveKnowledgeSourceDocument,
    "\n  mutation DeleteKnowledgeSource($input: DeleteKnowledgeSourceInput!) {\n    deleteKnowledgeSource(input: $input) {\n      deletedKnowledgeSourceId\n    }\n  }\n": typeof types.DeleteKnowledgeSourceDocument,
    "\n  mutation DeleteUnusedKnowledge($input: DeleteUnusedKnowledgeInput!) {\n    deleteUnusedKnowledge(input: $input) {\n      deleted\n    }\n  }\n": typeof types.DeleteUnusedKnowledgeDocument,
    "\n  query AgentFigures($from: DateTime!, $month: DateTime!, $to: DateTime!) {\n    viewer {\n      id\n      day: usage(filter: { from: $from, to: $to }, groupBy: [AGENT]) {\n        agent {\n          id\n        }\n        messages\n        failed\n      }\n      month: usage(filter: { from: $month, to: $to }, groupBy: [AGENT]) {\n        agent {\n          id\n        }\n        credits\n      }\n    }\n  }\n": typeof types.AgentFiguresDocument,
    "\n  query Agents($first: Int, $after: String, $filter: AgentFilter, $orderBy: AgentOrder) {\n    agents(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n      nodes {\n        id\n        name\n        description\n        state\n        hasUnpublishedChanges\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          name\n          label\n        }\n        exports {\n          id\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.AgentsDocument,
    "\n  query Models {\n    models {\n      name\n      label\n      provider\n      creditsPerMessage\n      creditsWithKnowledge\n      available\n      contextWindow\n      sandbox\n    }\n  }\n": typeof types.ModelsDocument,
    "\n  mutation CreateAgent($input: CreateAgentInput!) {\n    createAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n": typeof types.CreateAgentDocument,
    "\n  mutation DuplicateAgent($input: DuplicateAgentInput!) {\n    duplicateAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n": typeof types.DuplicateAgentDocument,
    "\n  fragment EditedAgent on Agent {\n    id\n    name\n    description\n    ...DraftContent\n    state\n    missing\n    hasUnpublishedChanges\n    updatedAt\n    lastUsedAt\n    publishedVersion {\n      number\n    }\n    model {\n      creditsPerMessage\n      creditsWithKnowledge\n      available\n      sandbox\n    }\n    fallbackModel {\n      creditsPerMessage\n      creditsWithKnowledge\n      available\n    }\n    exports {\n      id\n      version\n    }\n    knowledgeUse {\n      mode\n    }\n  }\n": typeof types.EditedAgentFragmentDoc,
    "\n  query Agent($id: ID!) {\n    agent(id: $id) {\n      ...EditedAgent\n    }\n  }\n": typeof types.AgentDocument,
    "\n  mutation UpdateAgent($input: UpdateAgentInput!) {\n    updateAgent(input: $input) {\n      agent {\n        ...EditedAgent\n      }\n    }\n  }\n": typeof types.UpdateAgentDocument,
    "\n  query ExampleReply($schema: String!) {\n    exampleReply(schema: $schema)\n    schemaNotes(schema: $schema) {\n      path\n    }\n  }\n": typeof types.ExampleReplyDocument,
    "\n  mutation UnpublishAgent($input: UnpublishAgentInput!) {\n    unpublishAgent(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": typeof types.UnpublishAgentDocument,
    "\n  mutation DeleteAgent($input: DeleteAgentInput!) {\n    deleteAgent(input: $input) {\n      deletedAgentId\n    }\n  }\n": typeof types.DeleteAgentDocument,
    "\n  query ReplaceCandidates($first: Int, $after: String, $filter: AgentFilter) {\n    agents(first: $first, after: $after, filter: $filter) {\n      nodes {\n        id\n        name\n        state\n        missing\n        instructions\n        updatedAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": typeof types.ReplaceCandidatesDocument,
    "\n  mutation ReplaceInstructions($input: UpdateAgentInput!) {\n    updateAgent(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": typeof types.ReplaceInstructionsDocument,
    "\n  query AuditLog($first: Int, $after: String, $filter: AuditFilter) {\n    viewer {\n      id\n      createdAt\n      auditLog(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          at\n          actor {\n            kind\n            actorId\n            name\n          }\n          action\n          subject\n          details {\n            field\n          }\n          address\n          browser\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.AuditLogDocument,
    "\n  mutation ConfirmPassword($input: ConfirmPasswordInput!) {\n    confirmPassword(input: $input) {\n      ok\n    }\n  }\n": typeof types.ConfirmPasswordDocument,
    "\n  mutation SignIn($input: SignInInput!) {\n    signIn(input: $input) {\n      accessToken\n      expiresAt\n    }\n  }\n": typeof types.SignInDocument,
    "\n  mutation SignUp($input: SignUpInput!) {\n    signUp(input: $input) {\n      accessToken\n      expiresAt\n      mailSent\n    }\n  }\n": typeof types.SignUpDocument,
    "\n  mutation SignOut {\n    signOut {\n      ok\n    }\n  }\n": typeof types.SignOutDocument,
    "\n  mutation RequestPasswordReset($input: RequestPasswordResetInput!) {\n    requestPasswordReset(input: $input) {\n      ok\n    }\n  }\n": typeof types.RequestPasswordResetDocument,
    "\n  mutation ResetPassword($input: ResetPasswordInput!) {\n    resetPassword(input: $input) {\n      ok\n      leftBehind {\n        members\n        keys {\n          exportName\n          createdAt\n        }\n      }\n    }\n  }\n": typeof types.ResetPasswordDocument,
    "\n  query PasswordReset($token: String!) {\n    passwordReset(token: $token)\n  }\n": typeof types.PasswordResetDocument,
    "\n  mutation VerifyEmail($input: VerifyEmailInput!) {\n    verifyEmail(input: $input) {\n      ok\n    }\n  }\n": typeof types.VerifyEmailDocument,
    "\n  mutation UndoEmailChange($input: UndoEmailChangeInput!) {\n    undoEmailChange(input: $input) {\n      ok\n    }\n  }\n": typeof types.UndoEmailChangeDocument,
    "\n  query Viewer {\n    me {\n      id\n      name\n      email\n      memberships {\n        account {\n          accountId\n          name\n        }\n        role\n      }\n    }\n    viewer {\n      id\n      name\n      viewerRole\n      creditBalance\n      creditsHeld\n      creditsAvailable\n      lowCreditsAt\n    }\n    serviceInfo {\n      signUpOpen\n    }\n  }\n": typeof types.ViewerDocument,
    "\n  query SecondFactor {\n    me {\n      id\n      emailVerified\n      secondFactor\n      recoveryCodesLeft\n    }\n  }\n": typeof types.SecondFactorDocument,
    "\n  query ServiceInfo {\n    serviceInfo {\n      version\n      baseUrl\n      signUpOpen\n      creditsHelp\n      supportContact\n      mail\n      startingCredits\n      bridgeUrl\n    }\n  }\n": typeof types.ServiceInfoDocument,
    "\n  fragment SavedTurns on TurnConnection {\n    nodes {\n      id\n      number\n      createdAt\n      state\n      errorCode\n      message\n      actionResults {\n        callId\n        name\n        result\n        error\n      }\n      reply\n      actionCalls {\n        id\n        name\n        arguments\n        state\n      }\n      output\n      misfit\n      finishReason\n      requestId\n      version\n      userId\n      variables {\n        name\n        value\n      }\n      model\n      fallback\n      credits\n      ratings {\n        kind\n        value\n        note\n        ratedBy {\n          name\n        }\n        ratedAt\n      }\n      inputTokens\n      outputTokens\n      waitedMs\n      firstTextMs\n      durationMs\n      export {\n        id\n        name\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n": typeof types.SavedTurnsFragmentDoc,
    "\n  query ConversationsToSave($first: Int, $after: String, $filter: ConversationFilter, $turns: Int) {\n    viewer {\n      id\n      createdAt\n      conversations(first: $first, after: $after, filter: $filter) {\n        searchedTo\n        nodes {\n          id\n          sessionId\n          source\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n          turns(first: $turns) {\n            ...SavedTurns\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.ConversationsToSaveDocument,
    "\n  query FurtherTurns($id: ID!, $turns: Int, $after: String) {\n    conversation(id: $id) {\n      id\n      turns(first: $turns, after: $after) {\n        ...SavedTurns\n      }\n    }\n  }\n": typeof types.FurtherTurnsDocument,
    "\n  query Conversations($first: Int, $after: String, $filter: ConversationFilter) {\n    viewer {\n      id\n      conversations(first: $first, after: $after, filter: $filter) {\n        searchedTo\n        edges {\n          node {\n            id\n          }\n          hits {\n            number\n            inReply\n            excerpt\n            ranges {\n              start\n              length\n            }\n          }\n        }\n        nodes {\n          id\n          sessionId\n          source\n          userId\n          preview\n          turnCount\n          failedTurns\n          credits\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.ConversationsDocument,
    "\n  query Transcript($id: ID!, $last: Int!, $before: String) {\n    conversation(id: $id) {\n      id\n      sessionId\n      source\n      userId\n      turnCount\n      failedTurns\n      credits\n      createdAt\n      lastTurnAt\n      continuesFrom {\n        id\n        number\n        conversationId\n      }\n      agent {\n        id\n        name\n      }\n      turns(last: $last, before: $before) {\n        nodes {\n          id\n          conversationId\n          number\n          ...TurnMessage\n          ...TurnReply\n          ...TurnRatings\n          state\n          errorCode\n          requestId\n          version\n          model\n          fallback\n          background\n          userId\n          variables {\n            name\n            value\n          }\n          source\n          credits\n          createdAt\n          durationMs\n          request {\n            id\n          }\n          export {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasPreviousPage\n          startCursor\n        }\n      }\n    }\n  }\n": typeof types.TranscriptDocument,
    "\n  query ConversationHits($after: String, $filter: ConversationFilter) {\n    viewer {\n      id\n      conversations(first: 1, after: $after, filter: $filter) {\n        edges {\n          node {\n            id\n          }\n          hits {\n            number\n            inReply\n            excerpt\n            ranges {\n              start\n              length\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.ConversationHitsDocument,
    "\n  query MessagesToday($userId: String!) {\n    viewer {\n      id\n      endUser(userId: $userId) {\n        userId\n        dailyMessageLimit\n        messagesToday\n        nearestExportLimit {\n          dailyMessageLimit\n          messagesToday\n        }\n      }\n    }\n  }\n": typeof types.MessagesTodayDocument,
    "\n  mutation DeleteConversation($input: DeleteConversationInput!) {\n    deleteConversation(input: $input) {\n      deletedConversationId\n    }\n  }\n": typeof types.DeleteConversationDocument,
    "\n  mutation DeleteConversations($input: DeleteConversationsInput!) {\n    deleteConversations(input: $input) {\n      deletedCount\n    }\n  }\n": typeof types.DeleteConversationsDocument,
    "\n  query TurnPrompt($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on Turn {\n        id\n        version\n        source\n        inputTokens\n        outputTokens\n        message\n        actionResults {\n          callId\n          name\n          result\n          error\n        }\n        passages {\n          n\n          name\n          heading\n          page\n          text\n          source {\n            id\n          }\n        }\n        prompt {\n          instructions\n          earlierTurns\n          actions\n          chain {\n            id\n            message\n            reply\n            actionCalls {\n              id\n              name\n              arguments\n              state\n            }\n            actionResults {\n              callId\n              name\n              result\n              error\n            }\n          }\n          model\n        }\n      }\n    }\n  }\n": typeof types.TurnPromptDocument,
    "\n  query ContinuedTurn($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on Turn {\n        id\n        number\n        conversation {\n          id\n          sessionId\n        }\n      }\n    }\n  }\n": typeof types.ContinuedTurnDocument,
    "\n  fragment TurnRatings on Turn {\n    ratings {\n      kind\n      value\n      note\n      ratedBy {\n        name\n      }\n    }\n  }\n": typeof types.TurnRatingsFragmentDoc,
    "\n  mutation RateTurn($input: RateTurnInput!) {\n    rateTurn(input: $input) {\n      turn {\n        id\n        ...TurnRatings\n      }\n    }\n  }\n": typeof types.RateTurnDocument,
    "\n  fragment TurnMessage on Turn {\n    message\n    actionResults {\n      callId\n      name\n      result\n      error\n    }\n  }\n": typeof types.TurnMessageFragmentDoc,
    "\n  fragment TurnReply on Turn {\n    reply\n    actionCalls {\n      id\n      name\n      arguments\n      state\n    }\n    sources {\n      n\n      name\n      heading\n      page\n      source {\n        id\n      }\n    }\n    output\n    misfit\n    finishReason\n  }\n": typeof types.TurnReplyFragmentDoc,
    "\n  query DailyUsage($from: DateTime!, $to: DateTime!, $timeZone: String) {\n    viewer {\n      id\n      usage(filter: { from: $from, to: $to }, groupBy: [], interval: DAY, timeZone: $timeZone) {\n        start\n        credits\n        messages\n      }\n    }\n  }\n": typeof types.DailyUsageDocument,
    "\n  query TopUp {\n    viewer {\n      id\n      topUpUrl\n    }\n  }\n": typeof types.TopUpDocument,
    "\n  query CreditHistory($first: Int, $after: String, $filter: CreditFilter) {\n    viewer {\n      id\n      createdAt\n      creditHistory(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          kind\n          amount\n          balanceAfter\n          createdAt\n          note\n          agentName\n          exportName\n          agent {\n            id\n            name\n          }\n          export {\n            id\n            name\n          }\n          turn {\n            id\n            number\n            conversationId\n            request {\n              id\n              preview\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.CreditHistoryDocument,
    "\n  query CreditDays(\n    $filter: UsageFilter!\n    $interval: UsageInterval!\n    $timeZone: String\n    $from: DateTime!\n    $to: DateTime!\n    $balances: Boolean!\n  ) {\n    viewer {\n      id\n      usage(filter: $filter, groupBy: [], interval: $interval, timeZone: $timeZone) {\n        start\n        credits\n        messages\n      }\n      first: creditHistory(first: 1, filter: { to: $from }) @include(if: $balances) {\n        nodes {\n          id\n          balanceAfter\n        }\n      }\n      last: creditHistory(first: 1, filter: { to: $to }) @include(if: $balances) {\n        nodes {\n          id\n          balanceAfter\n        }\n      }\n    }\n  }\n": typeof types.CreditDaysDocument,
    "\n  query FirstRequest($exportId: ID!) {\n    viewer {\n      id\n      creditsAvailable\n      requests(first: 5, filter: { exportId: $exportId }) {\n        nodes {\n          id\n          at\n          outcome\n          status\n          code\n          detail\n          credits\n          durationMs\n          turn {\n            message\n            reply\n          }\n        }\n      }\n    }\n  }\n": typeof types.FirstRequestDocument,
    "\n  fragment CalledExport on ApiExport {\n    id\n    state\n    requireUserId\n    userDailyMessageLimit\n    pinnedVersion {\n      variables {\n        name\n        required\n      }\n      actions {\n        name\n      }\n      replySchema\n    }\n    agent {\n      id\n      name\n      publishedVersion {\n        variables {\n          name\n          required\n        }\n        actions {\n          name\n        }\n        replySchema\n      }\n    }\n  }\n": typeof types.CalledExportFragmentDoc,
    "\n  query Quickstart($id: ID!) {\n    node(id: $id) {\n      __typename\n      ...CalledExport\n    }\n  }\n": typeof types.QuickstartDocument,
    "\n  query NewestExport($agentId: ID) {\n    viewer {\n      id\n      exports(first: 1, filter: { agentId: $agentId, state: ACTIVE }) {\n        nodes {\n          id\n          ...CalledExport\n        }\n      }\n    }\n  }\n": typeof types.NewestExportDocument,
    "\n  query AccountTokens {\n    viewer {\n      id\n      accountTokens {\n        id\n        name\n        role\n        createdBy {\n          name\n        }\n        createdAt\n        lastUsedAt\n        expiresAt\n      }\n    }\n  }\n": typeof types.AccountTokensDocument,
    "\n  mutation CreateAccountToken($input: CreateAccountTokenInput!) {\n    createAccountToken(input: $input) {\n      secret\n      accountToken {\n        id\n        name\n      }\n    }\n  }\n": typeof types.CreateAccountTokenDocument,
    "\n  mutation RemoveAccountToken($input: RemoveAccountTokenInput!) {\n    removeAccountToken(input: $input) {\n      removedAccountTokenId\n    }\n  }\n": typeof types.RemoveAccountTokenDocument,
    "\n  query ExportPage($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on ApiExport {\n        id\n        name\n        state\n        createdAt\n        removedAt\n        expiresAt\n        lastUsedAt\n        rateLimitPerMinute\n        version\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n        keys {\n          id\n          createdAt\n          lastUsedAt\n          stopsAt\n          hint\n        }\n        agent {\n          id\n          name\n          state\n          publishedVersion {\n            number\n            variables {\n              name\n              required\n            }\n            actions {\n              name\n            }\n            replySchema\n            model {\n              name\n              creditsPerMessage\n            }\n          }\n        }\n        pinnedVersion {\n          variables {\n            name\n            required\n          }\n          actions {\n            name\n          }\n          replySchema\n        }\n      }\n    }\n  }\n": typeof types.ExportPageDocument,
    "\n  query ExportUse($exportId: ID!, $from: DateTime!, $to: DateTime!, $timeZone: String) {\n    viewer {\n      id\n      total: usage(filter: { exportId: $exportId, from: $from, to: $to }, groupBy: []) {\n        messages\n        failed\n        refused\n        credits\n      }\n      days: usage(\n        filter: { exportId: $exportId, from: $from, to: $to }\n        groupBy: []\n        interval: DAY\n        timeZone: $timeZone\n      ) {\n        start\n        credits\n      }\n    }\n  }\n": typeof types.ExportUseDocument,
    "\n  query ExportCalls($exportId: ID!, $first: Int!) {\n    viewer {\n      id\n      requests(first: $first, filter: { exportId: $exportId }) {\n        nodes {\n          id\n          requestId\n          at\n          outcome\n          status\n          code\n          credits\n          durationMs\n        }\n      }\n    }\n  }\n": typeof types.ExportCallsDocument,
    "\n  mutation ReplaceApiKey($input: ReplaceApiKeyInput!) {\n    replaceApiKey(input: $input) {\n      apiKey\n      export {\n        id\n        name\n      }\n    }\n  }\n": typeof types.ReplaceApiKeyDocument,
    "\n  mutation StopApiKey($input: StopApiKeyInput!) {\n    stopApiKey(input: $input) {\n      export {\n        id\n        keys {\n          id\n          createdAt\n          lastUsedAt\n          stopsAt\n          hint\n        }\n      }\n    }\n  }\n": typeof types.StopApiKeyDocument,
    "\n  mutation SetApiKeyStop($input: SetApiKeyStopInput!) {\n    setApiKeyStop(input: $input) {\n      export {\n        id\n        keys {\n          id\n          createdAt\n          lastUsedAt\n          stopsAt\n          hint\n        }\n      }\n    }\n  }\n": typeof types.SetApiKeyStopDocument,
    "\n  mutation RemoveApiExport($input: RemoveApiExportInput!) {\n    removeApiExport(input: $input) {\n      export {\n        id\n        state\n        removedAt\n      }\n    }\n  }\n": typeof types.RemoveApiExportDocument,
    "\n  query AgentExports($id: ID!) {\n    agent(id: $id) {\n      id\n      name\n      state\n      model {\n        sandbox\n      }\n      publishedVersion {\n        number\n        variables {\n          name\n          required\n        }\n        actions {\n          name\n        }\n        replySchema\n        model {\n          name\n          creditsPerMessage\n        }\n      }\n      exports {\n        id\n        name\n        state\n        expiresAt\n        lastUsedAt\n        rateLimitPerMinute\n        version\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n        keys {\n          id\n          hint\n        }\n      }\n    }\n  }\n": typeof types.AgentExportsDocument,
    "\n  query AccountExports($first: Int, $after: String, $filter: ExportFilter, $orderBy: ExportOrder) {\n    viewer {\n      id\n      exports(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n        nodes {\n          id\n          name\n          state\n          removedAt\n          lastUsedAt\n          expiresAt\n          rateLimitPerMinute\n          version\n          dailyCreditLimit\n          monthlyCreditLimit\n          creditsUsedToday\n          creditsUsedThisMonth\n          requireUserId\n          userDailyMessageLimit\n          keys {\n            id\n            hint\n          }\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.AccountExportsDocument,
    "\n  query LiveAgents($first: Int, $after: String) {\n    agents(\n      first: $first\n      after: $after\n      filter: { state: LIVE }\n      orderBy: { field: NAME, direction: ASC }\n    ) {\n      nodes {\n        id\n        name\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.LiveAgentsDocument,
    "\n  mutation CreateApiExport($input: CreateApiExportInput!) {\n    createApiExport(input: $input) {\n      apiKey\n      export {\n        id\n        name\n      }\n    }\n  }\n": typeof types.CreateApiExportDocument,
    "\n  mutation UpdateApiExport($input: UpdateApiExportInput!) {\n    updateApiExport(input: $input) {\n      export {\n        id\n        name\n        state\n        rateLimitPerMinute\n        version\n        expiresAt\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n      }\n    }\n  }\n": typeof types.UpdateApiExportDocument,
    "\n  mutation PauseApiExport($input: PauseApiExportInput!) {\n    pauseApiExport(input: $input) {\n      export {\n        id\n        state\n      }\n    }\n  }\n": typeof types.PauseApiExportDocument,
    "\n  mutation ResumeApiExport($input: ResumeApiExportInput!) {\n    resumeApiExport(input: $input) {\n      export {\n        id\n        state\n      }\n    }\n  }\n": typeof types.ResumeApiExportDocument,
    "\n  query Home {\n    agents(first: 5) {\n      nodes {\n        id\n        name\n        state\n        hasUnpublishedChanges\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          label\n        }\n      }\n      totalCount\n    }\n    viewer {\n      id\n      conversations(first: 6) {\n        nodes {\n          id\n          sessionId\n          userId\n          preview\n          failedTurns\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n        }\n      }\n      calls: conversations(first: 1, filter: { source: API }) {\n        nodes {\n          id\n        }\n      }\n      charges: creditHistory(first: 1, filter: { kind: CHARGE }) {\n        nodes {\n          id\n          exportName\n        }\n      }\n      exports(first: 1, filter: { state: ACTIVE }) {\n        nodes {\n          id\n          name\n          state\n          requireUserId\n          userDailyMessageLimit\n          agent {\n            id\n            name\n            publishedVersion {\n              variables {\n                name\n                required\n              }\n            }\n          }\n          pinnedVersion {\n            variables {\n              name\n              required\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.HomeDocument,
    "\n  query HomeAttention {\n    agents(first: 100) {\n      nodes {\n        id\n        name\n        state\n        hasUnpublishedChanges\n        publishedVersion {\n          number\n        }\n      }\n    }\n    viewer {\n      id\n      exports(first: 100, filter: { state: ACTIVE }) {\n        nodes {\n          id\n          name\n          expiresAt\n          dailyCreditLimit\n          monthlyCreditLimit\n          creditsUsedToday\n          creditsUsedThisMonth\n          agent {\n            id\n          }\n        }\n      }\n    }\n  }\n": typeof types.HomeAttentionDocument,
    "\n  mutation CreateStarter($input: CreateAgentInput!) {\n    createAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n": typeof types.CreateStarterDocument,
    "\n  query HomeUsage(\n    $from: DateTime!\n    $before: DateTime!\n    $to: DateTime!\n    $hourAgo: DateTime!\n    $interval: UsageInterval!\n    $timeZone: String\n  ) {\n    viewer {\n      id\n      now: usage(filter: { from: $from, to: $to }, groupBy: []) {\n        messages\n        failed\n        refused\n        credits\n        durationP50Ms\n        durationP95Ms\n      }\n      before: usage(filter: { from: $before, to: $from }, groupBy: []) {\n        messages\n        failed\n        durationP50Ms\n      }\n      points: usage(\n        filter: { from: $before, to: $to }\n        groupBy: []\n        interval: $interval\n        timeZone: $timeZone\n      ) {\n        start\n        messages\n        failed\n        credits\n        durationP50Ms\n        durationP95Ms\n      }\n      agents: usage(filter: { from: $from, to: $to }, groupBy: [AGENT, SOURCE]) {\n        agent {\n          id\n          name\n        }\n        source\n        messages\n        failed\n        credits\n      }\n      agentPoints: usage(\n        filter: { from: $from, to: $to }\n        groupBy: [AGENT]\n        interval: $interval\n        timeZone: $timeZone\n      ) {\n        start\n        agent {\n          id\n        }\n        messages\n      }\n      lastHour: usage(filter: { from: $hourAgo, to: $to, source: API }, groupBy: [AGENT, STATUS]) {\n        agent {\n          id\n          name\n        }\n        status\n        messages\n        failed\n      }\n    }\n  }\n": typeof types.HomeUsageDocument,
    "\n  query Members {\n    me {\n      id\n    }\n    viewer {\n      id\n      members {\n        userId\n        name\n        email\n        role\n        since\n        secondFactor\n        lastSeenAt\n      }\n    }\n  }\n": typeof types.MembersDocument,
    "\n  query Invitations {\n    viewer {\n      id\n      invitations {\n        id\n        email\n        role\n        invitedBy {\n          name\n        }\n        createdAt\n        expiresAt\n      }\n    }\n  }\n": typeof types.InvitationsDocument,
    "\n  query MadeKeys {\n    viewer {\n      id\n      exports(first: 100, filter: { inUse: true }) {\n        nodes {\n          id\n          name\n          keys {\n            id\n            createdBy {\n              actorId\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.MadeKeysDocument,
    "\n  query MadeTokens {\n    me {\n      id\n    }\n    viewer {\n      id\n      accountTokens {\n        id\n        name\n        createdBy {\n          actorId\n        }\n      }\n    }\n  }\n": typeof types.MadeTokensDocument,
    "\n  query InvitationPreview($token: String!) {\n    invitation(token: $token) {\n      accountName\n      email\n      role\n      invitedBy\n      expiresAt\n      known\n    }\n  }\n": typeof types.InvitationPreviewDocument,
    "\n  query MyAddress {\n    me {\n      id\n      email\n    }\n  }\n": typeof types.MyAddressDocument,
    "\n  mutation UpdateAccount($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n        name\n      }\n    }\n  }\n": typeof types.UpdateAccountDocument,
    "\n  mutation InviteMember($input: InviteMemberInput!) {\n    inviteMember(input: $input) {\n      invitation {\n        id\n        email\n      }\n      link\n    }\n  }\n": typeof types.InviteMemberDocument,
    "\n  mutation RenewInvitation($input: RenewInvitationInput!) {\n    renewInvitation(input: $input) {\n      invitation {\n        id\n        email\n      }\n      link\n    }\n  }\n": typeof types.RenewInvitationDocument,
    "\n  mutation RevokeInvitation($input: RevokeInvitationInput!) {\n    revokeInvitation(input: $input) {\n      revokedInvitationId\n    }\n  }\n": typeof types.RevokeInvitationDocument,
    "\n  mutation SetMemberRole($input: SetMemberRoleInput!) {\n    setMemberRole(input: $input) {\n      member {\n        userId\n        role\n      }\n    }\n  }\n": typeof types.SetMemberRoleDocument,
    "\n  mutation RemoveMember($input: RemoveMemberInput!) {\n    removeMember(input: $input) {\n      userId\n    }\n  }\n": typeof types.RemoveMemberDocument,
    "\n  mutation LeaveAccount {\n    leaveAccount {\n      ok\n    }\n  }\n": typeof types.LeaveAccountDocument,
    "\n  mutation AcceptInvitation($input: AcceptInvitationInput!) {\n    acceptInvitation(input: $input) {\n      account {\n        accountId\n      }\n    }\n  }\n": typeof types.AcceptInvitationDocument,
    "\n  query People($first: Int, $after: String, $filter: EndUserFilter, $orderBy: EndUserOrder) {\n    viewer {\n      id\n      endUsers(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n        nodes {\n          userId\n          lastSeenAt\n          messages\n          credits\n          blocked\n          dailyMessageLimit\n          messagesToday\n          nearestExportLimit {\n            dailyMessageLimit\n            messagesToday\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.PeopleDocument,
    "\n  query Person($userId: String!, $from: DateTime!, $since: DateTime!, $to: DateTime!, $timeZone: String) {\n    viewer {\n      id\n      endUser(userId: $userId) {\n        userId\n        firstSeenAt\n        lastSeenAt\n        messages\n        credits\n        conversations\n        blocked\n        dailyMessageLimit\n        messagesToday\n        nearestExportLimit {\n          dailyMessageLimit\n          messagesToday\n          export {\n            id\n            name\n          }\n        }\n      }\n      month: usage(filter: { userId: $userId, from: $from, to: $to }, groupBy: []) {\n        messages\n        failed\n        credits\n      }\n      days: usage(\n        filter: { userId: $userId, from: $since, to: $to, source: API }\n        groupBy: []\n        interval: DAY\n        timeZone: $timeZone\n      ) {\n        start\n        messages\n        failed\n        refused\n      }\n    }\n  }\n": typeof types.PersonDocument,
    "\n  mutation DeleteEndUser($input: DeleteEndUserInput!) {\n    deleteEndUser(input: $input) {\n      deletedCount\n    }\n  }\n": typeof types.DeleteEndUserDocument,
    "\n  mutation BlockEndUser($input: BlockEndUserInput!) {\n    blockEndUser(input: $input) {\n      endUser {\n        blocked\n      }\n    }\n  }\n": typeof types.BlockEndUserDocument,
    "\n  mutation UnblockEndUser($input: UnblockEndUserInput!) {\n    unblockEndUser(input: $input) {\n      endUser {\n        blocked\n      }\n    }\n  }\n": typeof types.UnblockEndUserDocument,
    "\n  mutation SetEndUserLimit($input: SetEndUserLimitInput!) {\n    setEndUserLimit(input: $input) {\n      endUser {\n        dailyMessageLimit\n      }\n    }\n  }\n": typeof types.SetEndUserLimitDocument,
    "\n  fragment SentTurn on Turn {\n    id\n    ...TurnReply\n    ...TurnRatings\n    state\n    version\n    errorCode\n    requestId\n    model\n    fallback\n    credits\n    inputTokens\n    outputTokens\n    firstTextMs\n    durationMs\n  }\n": typeof types.SentTurnFragmentDoc,
    "\n  query PastTests($agentId: ID!, $first: Int!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: $first, filter: { source: PLAYGROUND }) {\n        nodes {\n          id\n          sessionId\n          preview\n          lastTurnAt\n        }\n      }\n    }\n  }\n": typeof types.PastTestsDocument,
    "\n  subscription PlaygroundFollow($input: SendTestMessageInput!) {\n    testMessage(input: $input) {\n      __typename\n      ... on TestMessageStarted {\n        turnId\n      }\n      ... on TestMessageDelta {\n        text\n      }\n      ... on TestMessageEnded {\n        conversation {\n          id\n        }\n        turn {\n          ...SentTurn\n        }\n      }\n      ... on TestMessageFailed {\n        conversation {\n          id\n        }\n        turn {\n          ...SentTurn\n        }\n      }\n    }\n  }\n": typeof types.PlaygroundFollowDocument,
    "\n  query PlaygroundLatestTurn($agentId: ID!, $sessionId: String!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: 1, filter: { sessionId: $sessionId, source: PLAYGROUND }) {\n        nodes {\n          id\n          turns(last: 1) {\n            nodes {\n              message\n              actionResults {\n                callId\n              }\n              ...SentTurn\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.PlaygroundLatestTurnDocument,
    "\n  query PlaygroundKept($agentId: ID!, $sessionId: String!, $last: Int!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: 1, filter: { sessionId: $sessionId, source: PLAYGROUND }) {\n        nodes {\n          id\n          continuesFrom {\n            id\n          }\n          turns(last: $last) {\n            nodes {\n              ...TurnMessage\n              userId\n              variables {\n                name\n                value\n              }\n              ...SentTurn\n            }\n          }\n        }\n      }\n    }\n  }\n": typeof types.PlaygroundKeptDocument,
    "\n  query RequestCounts($range: UsageFilter!, $period: UsageFilter!, $interval: UsageInterval!, $timeZone: String) {\n    viewer {\n      id\n      rejectedRequestDays\n      codes: usage(filter: $range, groupBy: [STATUS, AGENT]) {\n        status\n        agent {\n          id\n        }\n        rest\n        messages\n        failed\n        refused\n      }\n      bars: usage(filter: $period, groupBy: [], interval: $interval, timeZone: $timeZone) {\n        start\n        messages\n        failed\n        refused\n      }\n    }\n  }\n": typeof types.RequestCountsDocument,
    "\n  query SimilarRequests($filter: UsageFilter!) {\n    viewer {\n      id\n      usage(filter: $filter, groupBy: [STATUS]) {\n        status\n        failed\n        refused\n      }\n    }\n  }\n": typeof types.SimilarRequestsDocument,
    "\n  query RequestsToSave($first: Int, $after: String, $filter: RequestFilter) {\n    viewer {\n      id\n      createdAt\n      requests(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          requestId\n          at\n          outcome\n          status\n          code\n          detail\n          agent {\n            id\n            name\n          }\n          export {\n            id\n            name\n          }\n          clientAddress\n          sessionId\n          userId\n          model\n          streamed\n          replayed\n          credits\n          durationMs\n          waitedMs\n          modelMs\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.RequestsToSaveDocument,
    "\n  fragment RequestPage on RequestConnection {\n    edges {\n      cursor\n      node {\n        id\n        at\n        outcome\n        status\n        code\n        detail\n        preview\n        agent {\n          id\n          name\n        }\n        sessionId\n        userId\n        replayed\n        credits\n        durationMs\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n": typeof types.RequestPageFragmentDoc,
    "\n  query Requests($first: Int, $after: String, $filter: RequestFilter, $ids: RequestFilter, $searching: Boolean!) {\n    viewer {\n      id\n      requests(first: $first, after: $after, filter: $filter) {\n        ...RequestPage\n      }\n      byId: requests(first: $first, after: $after, filter: $ids) @include(if: $searching) {\n        ...RequestPage\n      }\n    }\n  }\n": typeof types.RequestsDocument,
    "\n  query Request($id: ID!) {\n    request(id: $id) {\n      id\n      requestId\n      at\n      outcome\n      status\n      code\n      detail\n      agent {\n        id\n        name\n      }\n      export {\n        id\n        name\n      }\n      clientAddress\n      sessionId\n      userId\n      model\n      streamed\n      background\n      replayed\n      credits\n      durationMs\n      waitedMs\n      modelMs\n      conversation {\n        id\n        sessionId\n      }\n      turn {\n        id\n        number\n        ...TurnMessage\n        ...TurnReply\n        version\n        providerError {\n          status\n          code\n          message\n        }\n      }\n    }\n  }\n": typeof types.RequestDocument,
    "\n  mutation StartSecondFactor {\n    startSecondFactor {\n      secret\n      uri\n      qrCode\n    }\n  }\n": typeof types.StartSecondFactorDocument,
    "\n  mutation ConfirmSecondFactor($input: ConfirmSecondFactorInput!) {\n    confirmSecondFactor(input: $input) {\n      recoveryCodes\n    }\n  }\n": typeof types.ConfirmSecondFactorDocument,
    "\n  mutation RemoveSecondFactor($input: RemoveSecondFactorInput!) {\n    removeSecondFactor(input: $input) {\n      ok\n    }\n  }\n": typeof types.RemoveSecondFactorDocument,
    "\n  mutation RenewRecoveryCodes($input: RenewRecoveryCodesInput!) {\n    renewRecoveryCodes(input: $input) {\n      recoveryCodes\n    }\n  }\n": typeof types.RenewRecoveryCodesDocument,
    "\n  query SecondFactorRule {\n    me {\n      id\n      secondFactor\n    }\n    viewer {\n      id\n      requireSecondFactor\n    }\n  }\n": typeof types.SecondFactorRuleDocument,
    "\n  mutation SetSecondFactorRule($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n        requireSecondFactor\n      }\n    }\n  }\n": typeof types.SetSecondFactorRuleDocument,
    "\n  query SignIns {\n    viewer {\n      id\n      signIns {\n        id\n        browser\n        address\n        createdAt\n        lastUsedAt\n        current\n      }\n    }\n  }\n": typeof types.SignInsDocument,
    "\n  query Events($first: Int, $after: String) {\n    me {\n      id\n      events(first: $first, after: $after) {\n        nodes {\n          id\n          at\n          actor {\n            kind\n            name\n          }\n          action\n          details {\n            field\n          }\n          address\n          browser\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.EventsDocument,
    "\n  query Address {\n    me {\n      id\n      email\n      emailVerified\n    }\n  }\n": typeof types.AddressDocument,
    "\n  mutation RequestEmailVerification {\n    requestEmailVerification {\n      ok\n    }\n  }\n": typeof types.RequestEmailVerificationDocument,
    "\n  mutation ChangeEmail($input: ChangeEmailInput!) {\n    changeEmail(input: $input) {\n      ok\n    }\n  }\n": typeof types.ChangeEmailDocument,
    "\n  mutation EndSignIn($input: EndSignInInput!) {\n    endSignIn(input: $input) {\n      endedSignInId\n    }\n  }\n": typeof types.EndSignInDocument,
    "\n  mutation SignOutEverywhere {\n    signOutEverywhere {\n      ok\n    }\n  }\n": typeof types.SignOutEverywhereDocument,
    "\n  mutation ChangePassword($input: ChangePasswordInput!) {\n    changePassword(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n": typeof types.ChangePasswordDocument,
    "\n  mutation UpdateUser($input: UpdateUserInput!) {\n    updateUser(input: $input) {\n      user {\n        id\n        name\n      }\n    }\n  }\n": typeof types.UpdateUserDocument,
    "\n  query Notifications {\n    viewer {\n      id\n      viewerRole\n      lowCreditsAt\n    }\n  }\n": typeof types.NotificationsDocument,
    "\n  query KeptData {\n    viewer {\n      id\n      rejectedRequestDays\n      retentionDays\n      serviceRetentionDays\n    }\n  }\n": typeof types.KeptDataDocument,
    "\n  query RetentionPreview($days: Int!) {\n    viewer {\n      id\n      retentionPreview(days: $days) {\n        conversations\n        more\n      }\n    }\n  }\n": typeof types.RetentionPreviewDocument,
    "\n  mutation SetRetention($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n": typeof types.SetRetentionDocument,
    "\n  mutation CreateAccountDownload {\n    createAccountDownload {\n      url\n    }\n  }\n": typeof types.CreateAccountDownloadDocument,
    "\n  mutation SetLowCredits($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n": typeof types.SetLowCreditsDocument,
    "\n  mutation DeleteAccount($input: DeleteAccountInput!) {\n    deleteAccount(input: $input) {\n      ok\n    }\n  }\n": typeof types.DeleteAccountDocument,
    "\n  query Found($userId: String!, $people: EndUserFilter, $sessions: ConversationFilter, $requests: RequestFilter) {\n    viewer {\n      id\n      person: endUser(userId: $userId) {\n        userId\n      }\n      people: endUsers(first: 5, filter: $people) {\n        nodes {\n          userId\n        }\n      }\n      sessions: conversations(first: 5, filter: $sessions) {\n        nodes {\n          id\n          sessionId\n          agent {\n            id\n            name\n          }\n        }\n      }\n      requests(first: 1, filter: $requests) {\n        nodes {\n          id\n        }\n      }\n    }\n  }\n": typeof types.FoundDocument,
    "\n  query TestCases($agentId: ID!, $first: Int!, $after: String, $search: String) {\n    agent(id: $agentId) {\n      id\n      testCases(first: $first, after: $after, search: $search) {\n        nodes {\n          id\n          number\n          document\n          newestOutcome {\n            passes\n            repeats\n            passed\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.TestCasesDocument,
    "\n  query TestCase($id: ID!) {\n    testCase(id: $id) {\n      id\n      number\n      document\n      conversation {\n        id\n      }\n    }\n  }\n": typeof types.TestCaseDocument,
    "\n  query TestCaseFrom($turnId: ID!) {\n    testCaseFrom(turnId: $turnId)\n  }\n": typeof types.TestCaseFromDocument,
    "\n  mutation CreateTestCase($input: CreateTestCaseInput!) {\n    createTestCase(input: $input) {\n      testCase {\n        id\n      }\n    }\n  }\n": typeof types.CreateTestCaseDocument,
    "\n  mutation UpdateTestCase($input: UpdateTestCaseInput!) {\n    updateTestCase(input: $input) {\n      testCase {\n        id\n      }\n    }\n  }\n": typeof types.UpdateTestCaseDocument,
    "\n  mutation DeleteTestCases($input: DeleteTestCasesInput!) {\n    deleteTestCases(input: $input) {\n      ids\n    }\n  }\n": typeof types.DeleteTestCasesDocument,
    "\n  mutation ImportTestCases($input: ImportTestCasesInput!) {\n    importTestCases(input: $input) {\n      imported\n      skipped {\n        line\n        message\n      }\n    }\n  }\n": typeof types.ImportTestCasesDocument,
    "\n  query TestRuns($agentId: ID!, $first: Int!, $after: String) {\n    agent(id: $agentId) {\n      id\n      testRuns(first: $first, after: $after) {\n        nodes {\n          id\n          number\n          version {\n            number\n          }\n          model\n          whole\n          state\n          stopReason\n          repeats\n          attempts\n          done\n          passed\n          credits\n          createdAt\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.TestRunsDocument,
    "\n  query TestRun($id: ID!) {\n    testRun(id: $id) {\n      id\n      number\n      agent {\n        id\n      }\n      version {\n        number\n      }\n      model\n      state\n      stopReason\n      repeats\n      neededPasses\n      attempts\n      done\n      passed\n      budget\n      credits\n      startedBy {\n        name\n      }\n      createdAt\n    }\n  }\n": typeof types.TestRunDocument,
    "\n  query TestOutcomes($id: ID!, $first: Int!, $after: String, $against: ID) {\n    testRun(id: $id) {\n      id\n      done\n      outcomes(first: $first, after: $after, against: $against) {\n        nodes {\n          caseNumber\n          case {\n            id\n            document\n          }\n          passes\n          repeats\n          passed\n          change\n          before {\n            passes\n            repeats\n            passed\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.TestOutcomesDocument,
    "\n  query TestResults($id: ID!, $first: Int!, $after: String, $caseNumber: Int) {\n    testRun(id: $id) {\n      id\n      results(first: $first, after: $after, caseNumber: $caseNumber) {\n        nodes {\n          caseNumber\n          repeat\n          passed\n          errorCode\n          credits\n          durationMs\n          verdicts {\n            check\n            type\n            passed\n            judgeTurn {\n              id\n              reply\n            }\n          }\n          turn {\n            id\n            number\n            conversationId\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.TestResultsDocument,
    "\n  query TestRunPrice($input: StartTestRunInput!) {\n    testRunPrice(input: $input) {\n      most\n      exact\n      attempts\n    }\n  }\n": typeof types.TestRunPriceDocument,
    "\n  mutation StartTestRun($input: StartTestRunInput!) {\n    startTestRun(input: $input) {\n      testRun {\n        id\n      }\n    }\n  }\n": typeof types.StartTestRunDocument,
    "\n  mutation StopTestRun($input: StopTestRunInput!) {\n    stopTestRun(input: $input) {\n      testRun {\n        id\n        state\n        stopReason\n      }\n    }\n  }\n": typeof types.StopTestRunDocument,
    "\n  mutation DeleteTestRun($input: DeleteTestRunInput!) {\n    deleteTestRun(input: $input) {\n      deletedTestRunId\n    }\n  }\n": typeof types.DeleteTestRunDocument,
    "\n  query TestSettings($agentId: ID!) {\n    agent(id: $agentId) {\n      id\n      tests {\n        gate\n        repeats\n        neededPasses\n        judge {\n          id\n          name\n        }\n        tokenCreditsPerDay\n      }\n    }\n  }\n": typeof types.TestSettingsDocument,
    "\n  mutation UpdateTestSettings($input: UpdateTestSettingsInput!) {\n    updateTestSettings(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": typeof types.UpdateTestSettingsDocument,
    "\n  query UsagePage(\n    $filter: UsageFilter!\n    $api: UsageFilter!\n    $before: UsageFilter!\n    $whole: UsageFilter!\n    $inMonth: Boolean!\n    $split: [UsageDimension!]!\n    $interval: UsageInterval!\n    $timeZone: String\n  ) {\n    viewer {\n      id\n      rows: usage(filter: $filter, groupBy: $split) {\n        agent {\n          id\n          name\n        }\n        agentName\n        export {\n          id\n          name\n        }\n        exportName\n        model\n        userId\n        status\n        rest\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n        durationP50Ms\n        durationP95Ms\n      }\n      requests: usage(filter: $api, groupBy: $split) {\n        agent {\n          id\n        }\n        agentName\n        export {\n          id\n        }\n        exportName\n        model\n        userId\n        status\n        rest\n        messages\n      }\n      total: usage(filter: $filter, groupBy: []) {\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n        durationP50Ms\n        durationP95Ms\n      }\n      before: usage(filter: $before, groupBy: []) {\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n        durationP50Ms\n      }\n      whole: usage(filter: $whole, groupBy: []) @include(if: $inMonth) {\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n        durationP50Ms\n      }\n      points: usage(filter: $filter, groupBy: $split, interval: $interval, timeZone: $timeZone) {\n        start\n        agent {\n          id\n          name\n        }\n        agentName\n        export {\n          id\n          name\n        }\n        exportName\n        model\n        userId\n        status\n        rest\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n      }\n      times: usage(filter: $filter, groupBy: [], interval: $interval, timeZone: $timeZone) {\n        start\n        messages\n        credits\n        durationP50Ms\n        durationP95Ms\n      }\n    }\n  }\n": typeof types.UsagePageDocument,
    "\n  fragment DraftContent on Agent {\n    instructions\n    temperature\n    maxOutputTokens\n    contextTurns\n    replySchema\n    actions {\n      name\n      description\n      parameters\n    }\n    variables {\n      name\n      description\n      required\n      defaultValue\n    }\n    model {\n      name\n      label\n    }\n    fallbackModel {\n      name\n      label\n    }\n  }\n": typeof types.DraftContentFragmentDoc,
    "\n  fragment VersionContent on AgentVersion {\n    number\n    instructions\n    modelName\n    temperature\n    maxOutputTokens\n    contextTurns\n    replySchema\n    knowledge {\n      id\n      name\n      inDraft\n    }\n    actions {\n      name\n      description\n      parameters\n    }\n    variables {\n      name\n      description\n      required\n      defaultValue\n    }\n    model {\n      name\n      label\n    }\n    fallbackModelName\n    fallbackModel {\n      name\n      label\n    }\n  }\n": typeof types.VersionContentFragmentDoc,
    "\n  query PublishTests($agentId: ID!) {\n    agent(id: $agentId) {\n      id\n      tests {\n        gate\n        standing\n      }\n      testRuns(first: 20) {\n        nodes {\n          id\n          number\n          version {\n            number\n          }\n          model\n          whole\n          state\n          repeats\n          attempts\n          passed\n        }\n      }\n    }\n  }\n": typeof types.PublishTestsDocument,
    "\n  query Review($id: ID!) {\n    agent(id: $id) {\n      id\n      name\n      state\n      missing\n      updatedAt\n      hasUnpublishedChanges\n      ...DraftContent\n      knowledge(first: 100) {\n        nodes {\n          id\n          name\n          state\n          inDraft\n          inVersions\n        }\n      }\n      model {\n        sandbox\n        creditsPerMessage\n        creditsWithKnowledge\n      }\n      fallbackModel {\n        creditsPerMessage\n        creditsWithKnowledge\n      }\n      publishedVersion {\n        ...VersionContent\n        model {\n          sandbox\n          creditsPerMessage\n          creditsWithKnowledge\n        }\n      }\n      exports {\n        id\n        name\n        version\n      }\n    }\n  }\n": typeof types.ReviewDocument,
    "\n  query Versions($id: ID!, $first: Int, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: $first, after: $after) {\n        edges {\n          cursor\n          node {\n            number\n            createdAt\n            note\n            model {\n              name\n              label\n              creditsPerMessage\n              creditsWithKnowledge\n              available\n            }\n            publishedBy {\n              name\n            }\n            pinnedBy {\n              id\n              name\n            }\n            ratings {\n              up\n              down\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.VersionsDocument,
    "\n  query Version($id: ID!, $number: Int!) {\n    agent(id: $id) {\n      id\n      version(number: $number) {\n        ...VersionContent\n      }\n    }\n  }\n": typeof types.VersionDocument,
    "\n  query VersionContents($id: ID!, $first: Int, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: $first, after: $after) {\n        nodes {\n          ...VersionContent\n        }\n      }\n    }\n  }\n": typeof types.VersionContentsDocument,
    "\n  query VersionGiven($id: ID!, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: 2, after: $after) {\n        nodes {\n          number\n          knowledge {\n            id\n          }\n          variables {\n            name\n            description\n            required\n            defaultValue\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.VersionGivenDocument,
    "\n  query VersionSuccess($agentId: ID!, $from: DateTime!, $to: DateTime!) {\n    viewer {\n      id\n      usage(filter: { agentId: $agentId, from: $from, to: $to }, groupBy: [VERSION]) {\n        version\n        messages\n        failed\n      }\n    }\n  }\n": typeof types.VersionSuccessDocument,
    "\n  mutation PinApiExport($input: UpdateApiExportInput!) {\n    updateApiExport(input: $input) {\n      export {\n        id\n        version\n      }\n    }\n  }\n": typeof types.PinApiExportDocument,
    "\n  mutation PublishAgent($input: PublishAgentInput!) {\n    publishAgent(input: $input) {\n      version {\n        number\n      }\n      notReady {\n        id\n        name\n      }\n    }\n  }\n": typeof types.PublishAgentDocument,
    "\n  mutation RestoreAgentVersion($input: RestoreAgentVersionInput!) {\n    restoreAgentVersion(input: $input) {\n      agent {\n        id\n        updatedAt\n      }\n    }\n  }\n": typeof types.RestoreAgentVersionDocument,
    "\n  mutation DiscardAgentChanges($input: DiscardAgentChangesInput!) {\n    discardAgentChanges(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": typeof types.DiscardAgentChangesDocument,
    "\n  mutation UpdateWebhook($input: UpdateWebhookInput!) {\n    updateWebhook(input: $input) {\n      webhook {\n        id\n      }\n    }\n  }\n": typeof types.UpdateWebhookDocument,
    "\n  mutation DeleteWebhook($input: DeleteWebhookInput!) {\n    deleteWebhook(input: $input) {\n      deletedWebhookId\n    }\n  }\n": typeof types.DeleteWebhookDocument,
    "\n  mutation TestWebhook($input: TestWebhookInput!) {\n    testWebhook(input: $input) {\n      delivery {\n        id\n      }\n    }\n  }\n": typeof types.TestWebhookDocument,
    "\n  mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {\n    rotateWebhookSecret(input: $input) {\n      secret\n      webhook {\n        id\n        url\n      }\n    }\n  }\n": typeof types.RotateWebhookSecretDocument,
    "\n  mutation CreateWebhook($input: CreateWebhookInput!) {\n    createWebhook(input: $input) {\n      secret\n      webhook {\n        id\n        url\n      }\n    }\n  }\n": typeof types.CreateWebhookDocument,
    "\n  query WebhookDelivery($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on WebhookDelivery {\n        id\n        body\n        createdAt\n        tries\n      }\n    }\n  }\n": typeof types.WebhookDeliveryDocument,
    "\n  mutation RetryWebhookDelivery($input: RetryWebhookDeliveryInput!) {\n    retryWebhookDelivery(input: $input) {\n      delivery {\n        id\n      }\n    }\n  }\n": typeof types.RetryWebhookDeliveryDocument,
    "\n  query WebhookDeliveries($id: ID!, $first: Int, $after: String, $failed: Boolean) {\n    node(id: $id) {\n      __typename\n      ... on Webhook {\n        id\n        deliveries(first: $first, after: $after, failed: $failed) {\n          nodes {\n            id\n            event\n            status\n            tookMs\n            error\n            sentAt\n            nextTryAt\n          }\n          pageInfo {\n            hasNextPage\n            endCursor\n          }\n        }\n      }\n    }\n  }\n": typeof types.WebhookDeliveriesDocument,
    "\n  query Webhooks {\n    serviceInfo {\n      ownerWebhooks\n    }\n    viewer {\n      id\n      webhooks {\n        id\n        url\n        events\n        state\n        createdBy {\n          name\n        }\n        createdAt\n        failingSince\n        previousSecretUntil\n        dropped\n      }\n    }\n  }\n": typeof types.WebhooksDocument,
    "\n  query Memberships {\n    me {\n      id\n      memberships {\n        account {\n          accountId\n        }\n      }\n    }\n  }\n": typeof types.MembershipsDocument,
    "\n  mutation RenewAccess {\n    renewAccess {\n      accessToken\n      expiresAt\n    }\n  }\n": typeof types.RenewAccessDocument,
    "\n  query AgentChoices($after: String) {\n    agents(first: 100, after: $after) {\n      nodes {\n        id\n        name\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.AgentChoicesDocument,
    "\n  query ExportChoices($agentId: ID, $after: String) {\n    viewer {\n      id\n      exports(first: 100, after: $after, filter: { agentId: $agentId }) {\n        nodes {\n          id\n          name\n          state\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.ExportChoicesDocument,
};
const documents: Documents = {
    "\n  mutation CreateAccount($input: CreateAccountInput!) {\n    createAccount(input: $input) {\n      account {\n        accountId\n      }\n    }\n  }\n": types.CreateAccountDocument,
    "\n  query MyAccounts {\n    me {\n      id\n      memberships {\n        account {\n          accountId\n          name\n        }\n      }\n    }\n  }\n": types.MyAccountsDocument,
    "\n  mutation ImportAgent($input: ImportAgentInput!) {\n    importAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n      notes {\n        line\n        path\n        message\n      }\n      moreNotes\n    }\n  }\n": types.ImportAgentDocument,
    "\n  query AgentFileHead($id: ID!) {\n    agent(id: $id) {\n      id\n      fileHead\n    }\n  }\n": types.AgentFileHeadDocument,
    "\n  query AgentFileSources($id: ID!, $first: Int!, $after: String, $length: Int!) {\n    agent(id: $id) {\n      id\n      knowledge(first: $first, after: $after) {\n        nodes {\n          id\n          kind\n          name\n          state\n          pages\n          characters\n          inDraft\n          question\n          text(offset: 0, length: $length)\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.AgentFileSourcesDocument,
    "\n  query KnowledgeUse($id: ID!) {\n    agent(id: $id) {\n      id\n      knowledgeUse {\n        sources\n        maxSources\n        passages\n        maxPassages\n        bytes\n        maxBytes\n        mode\n      }\n    }\n  }\n": types.KnowledgeUseDocument,
    "\n  query Knowledge($id: ID!, $first: Int, $after: String) {\n    agent(id: $id) {\n      id\n      knowledge(first: $first, after: $after) {\n        nodes {\n          id\n          kind\n          name\n          state\n          reason\n          size\n          characters\n          passages\n          pages\n          createdAt\n          inDraft\n          inVersions\n          notes {\n            code\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.KnowledgeDocument,
    "\n  query KnowledgeSource($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on KnowledgeSource {\n        id\n        kind\n        name\n        state\n        reason\n        size\n        characters\n        passages\n        pages\n        createdAt\n        inDraft\n        inVersions\n        question\n        encoding\n        notes {\n          code\n          message\n          sample\n          encoding\n        }\n      }\n    }\n  }\n": types.KnowledgeSourceDocument,
    "\n  query KnowledgeText($id: ID!, $offset: Int!, $length: Int!) {\n    node(id: $id) {\n      __typename\n      ... on KnowledgeSource {\n        id\n        characters\n        text(offset: $offset, length: $length)\n      }\n    }\n  }\n": types.KnowledgeTextDocument,
    "\n  query SearchKnowledge($agentId: ID!, $message: String!) {\n    searchKnowledge(agentId: $agentId, message: $message) {\n      source {\n        id\n        name\n      }\n      heading\n      page\n      text\n      score\n      words\n    }\n  }\n": types.SearchKnowledgeDocument,
    "\n  mutation AddKnowledgeText($input: AddKnowledgeTextInput!) {\n    addKnowledgeText(input: $input) {\n      source {\n        id\n        name\n      }\n    }\n  }\n": types.AddKnowledgeTextDocument,
    "\n  mutation AddKnowledgeAnswer($input: AddKnowledgeAnswerInput!) {\n    addKnowledgeAnswer(input: $input) {\n      source {\n        id\n        name\n      }\n    }\n  }\n": types.AddKnowledgeAnswerDocument,
    "\n  mutation ImportKnowledgeAnswers($input: ImportKnowledgeAnswersInput!) {\n    importKnowledgeAnswers(input: $input) {\n      header\n      rows {\n        row\n        questions\n        answer\n        problem\n      }\n      added\n      notes {\n        code\n        message\n        sample\n        encoding\n      }\n    }\n  }\n": types.ImportKnowledgeAnswersDocument,
    "\n  mutation AddKnowledgeFile($input: AddKnowledgeFileInput!) {\n    addKnowledgeFile(input: $input) {\n      source {\n        id\n      }\n    }\n  }\n": types.AddKnowledgeFileDocument,
    "\n  mutation RetryKnowledgeSource($input: RetryKnowledgeSourceInput!) {\n    retryKnowledgeSource(input: $input) {\n      source {\n        id\n      }\n    }\n  }\n": types.RetryKnowledgeSourceDocument,
    "\n  mutation ReplaceKnowledgeSource($input: ReplaceKnowledgeSourceInput!) {\n    replaceKnowledgeSource(input: $input) {\n      source {\n        id\n        name\n      }\n    }\n  }\n": types.ReplaceKnowledgeSourceDocument,
    "\n  mutation RemoveKnowledgeSource($input: RemoveKnowledgeSourceInput!) {\n    removeKnowledgeSource(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": types.RemoveKnowledgeSourceDocument,
    "\n  mutation DeleteKnowledgeSource($input: DeleteKnowledgeSourceInput!) {\n    deleteKnowledgeSource(input: $input) {\n      deletedKnowledgeSourceId\n    }\n  }\n": types.DeleteKnowledgeSourceDocument,
    "\n  mutation DeleteUnusedKnowledge($input: DeleteUnusedKnowledgeInput!) {\n    deleteUnusedKnowledge(input: $input) {\n      deleted\n    }\n  }\n": types.DeleteUnusedKnowledgeDocument,
    "\n  query AgentFigures($from: DateTime!, $month: DateTime!, $to: DateTime!) {\n    viewer {\n      id\n      day: usage(filter: { from: $from, to: $to }, groupBy: [AGENT]) {\n        agent {\n          id\n        }\n        messages\n        failed\n      }\n      month: usage(filter: { from: $month, to: $to }, groupBy: [AGENT]) {\n        agent {\n          id\n        }\n        credits\n      }\n    }\n  }\n": types.AgentFiguresDocument,
    "\n  query Agents($first: Int, $after: String, $filter: AgentFilter, $orderBy: AgentOrder) {\n    agents(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n      nodes {\n        id\n        name\n        description\n        state\n        hasUnpublishedChanges\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          name\n          label\n        }\n        exports {\n          id\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.AgentsDocument,
    "\n  query Models {\n    models {\n      name\n      label\n      provider\n      creditsPerMessage\n      creditsWithKnowledge\n      available\n      contextWindow\n      sandbox\n    }\n  }\n": types.ModelsDocument,
    "\n  mutation CreateAgent($input: CreateAgentInput!) {\n    createAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n": types.CreateAgentDocument,
    "\n  mutation DuplicateAgent($input: DuplicateAgentInput!) {\n    duplicateAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n": types.DuplicateAgentDocument,
    "\n  fragment EditedAgent on Agent {\n    id\n    name\n    description\n    ...DraftContent\n    state\n    missing\n    hasUnpublishedChanges\n    updatedAt\n    lastUsedAt\n    publishedVersion {\n      number\n    }\n    model {\n      creditsPerMessage\n      creditsWithKnowledge\n      available\n      sandbox\n    }\n    fallbackModel {\n      creditsPerMessage\n      creditsWithKnowledge\n      available\n    }\n    exports {\n      id\n      version\n    }\n    knowledgeUse {\n      mode\n    }\n  }\n": types.EditedAgentFragmentDoc,
    "\n  query Agent($id: ID!) {\n    agent(id: $id) {\n      ...EditedAgent\n    }\n  }\n": types.AgentDocument,
    "\n  mutation UpdateAgent($input: UpdateAgentInput!) {\n    updateAgent(input: $input) {\n      agent {\n        ...EditedAgent\n      }\n    }\n  }\n": types.UpdateAgentDocument,
    "\n  query ExampleReply($schema: String!) {\n    exampleReply(schema: $schema)\n    schemaNotes(schema: $schema) {\n      path\n    }\n  }\n": types.ExampleReplyDocument,
    "\n  mutation UnpublishAgent($input: UnpublishAgentInput!) {\n    unpublishAgent(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": types.UnpublishAgentDocument,
    "\n  mutation DeleteAgent($input: DeleteAgentInput!) {\n    deleteAgent(input: $input) {\n      deletedAgentId\n    }\n  }\n": types.DeleteAgentDocument,
    "\n  query ReplaceCandidates($first: Int, $after: String, $filter: AgentFilter) {\n    agents(first: $first, after: $after, filter: $filter) {\n      nodes {\n        id\n        name\n        state\n        missing\n        instructions\n        updatedAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n": types.ReplaceCandidatesDocument,
    "\n  mutation ReplaceInstructions($input: UpdateAgentInput!) {\n    updateAgent(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": types.ReplaceInstructionsDocument,
    "\n  query AuditLog($first: Int, $after: String, $filter: AuditFilter) {\n    viewer {\n      id\n      createdAt\n      auditLog(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          at\n          actor {\n            kind\n            actorId\n            name\n          }\n          action\n          subject\n          details {\n            field\n          }\n          address\n          browser\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.AuditLogDocument,
    "\n  mutation ConfirmPassword($input: ConfirmPasswordInput!) {\n    confirmPassword(input: $input) {\n      ok\n    }\n  }\n": types.ConfirmPasswordDocument,
    "\n  mutation SignIn($input: SignInInput!) {\n    signIn(input: $input) {\n      accessToken\n      expiresAt\n    }\n  }\n": types.SignInDocument,
    "\n  mutation SignUp($input: SignUpInput!) {\n    signUp(input: $input) {\n      accessToken\n      expiresAt\n      mailSent\n    }\n  }\n": types.SignUpDocument,
    "\n  mutation SignOut {\n    signOut {\n      ok\n    }\n  }\n": types.SignOutDocument,
    "\n  mutation RequestPasswordReset($input: RequestPasswordResetInput!) {\n    requestPasswordReset(input: $input) {\n      ok\n    }\n  }\n": types.RequestPasswordResetDocument,
    "\n  mutation ResetPassword($input: ResetPasswordInput!) {\n    resetPassword(input: $input) {\n      ok\n      leftBehind {\n        members\n        keys {\n          exportName\n          createdAt\n        }\n      }\n    }\n  }\n": types.ResetPasswordDocument,
    "\n  query PasswordReset($token: String!) {\n    passwordReset(token: $token)\n  }\n": types.PasswordResetDocument,
    "\n  mutation VerifyEmail($input: VerifyEmailInput!) {\n    verifyEmail(input: $input) {\n      ok\n    }\n  }\n": types.VerifyEmailDocument,
    "\n  mutation UndoEmailChange($input: UndoEmailChangeInput!) {\n    undoEmailChange(input: $input) {\n      ok\n    }\n  }\n": types.UndoEmailChangeDocument,
    "\n  query Viewer {\n    me {\n      id\n      name\n      email\n      memberships {\n        account {\n          accountId\n          name\n        }\n        role\n      }\n    }\n    viewer {\n      id\n      name\n      viewerRole\n      creditBalance\n      creditsHeld\n      creditsAvailable\n      lowCreditsAt\n    }\n    serviceInfo {\n      signUpOpen\n    }\n  }\n": types.ViewerDocument,
    "\n  query SecondFactor {\n    me {\n      id\n      emailVerified\n      secondFactor\n      recoveryCodesLeft\n    }\n  }\n": types.SecondFactorDocument,
    "\n  query ServiceInfo {\n    serviceInfo {\n      version\n      baseUrl\n      signUpOpen\n      creditsHelp\n      supportContact\n      mail\n      startingCredits\n      bridgeUrl\n    }\n  }\n": types.ServiceInfoDocument,
    "\n  fragment SavedTurns on TurnConnection {\n    nodes {\n      id\n      number\n      createdAt\n      state\n      errorCode\n      message\n      actionResults {\n        callId\n        name\n        result\n        error\n      }\n      reply\n      actionCalls {\n        id\n        name\n        arguments\n        state\n      }\n      output\n      misfit\n      finishReason\n      requestId\n      version\n      userId\n      variables {\n        name\n        value\n      }\n      model\n      fallback\n      credits\n      ratings {\n        kind\n        value\n        note\n        ratedBy {\n          name\n        }\n        ratedAt\n      }\n      inputTokens\n      outputTokens\n      waitedMs\n      firstTextMs\n      durationMs\n      export {\n        id\n        name\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n": types.SavedTurnsFragmentDoc,
    "\n  query ConversationsToSave($first: Int, $after: String, $filter: ConversationFilter, $turns: Int) {\n    viewer {\n      id\n      createdAt\n      conversations(first: $first, after: $after, filter: $filter) {\n        searchedTo\n        nodes {\n          id\n          sessionId\n          source\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n          turns(first: $turns) {\n            ...SavedTurns\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.ConversationsToSaveDocument,
    "\n  query FurtherTurns($id: ID!, $turns: Int, $after: String) {\n    conversation(id: $id) {\n      id\n      turns(first: $turns, after: $after) {\n        ...SavedTurns\n      }\n    }\n  }\n": types.FurtherTurnsDocument,
    "\n  query Conversations($first: Int, $after: String, $filter: ConversationFilter) {\n    viewer {\n      id\n      conversations(first: $first, after: $after, filter: $filter) {\n        searchedTo\n        edges {\n          node {\n            id\n          }\n          hits {\n            number\n            inReply\n            excerpt\n            ranges {\n              start\n              length\n            }\n          }\n        }\n        nodes {\n          id\n          sessionId\n          source\n          userId\n          preview\n          turnCount\n          failedTurns\n          credits\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.ConversationsDocument,
    "\n  query Transcript($id: ID!, $last: Int!, $before: String) {\n    conversation(id: $id) {\n      id\n      sessionId\n      source\n      userId\n      turnCount\n      failedTurns\n      credits\n      createdAt\n      lastTurnAt\n      continuesFrom {\n        id\n        number\n        conversationId\n      }\n      agent {\n        id\n        name\n      }\n      turns(last: $last, before: $before) {\n        nodes {\n          id\n          conversationId\n          number\n          ...TurnMessage\n          ...TurnReply\n          ...TurnRatings\n          state\n          errorCode\n          requestId\n          version\n          model\n          fallback\n          background\n          userId\n          variables {\n            name\n            value\n          }\n          source\n          credits\n          createdAt\n          durationMs\n          request {\n            id\n          }\n          export {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasPreviousPage\n          startCursor\n        }\n      }\n    }\n  }\n": types.TranscriptDocument,
    "\n  query ConversationHits($after: String, $filter: ConversationFilter) {\n    viewer {\n      id\n      conversations(first: 1, after: $after, filter: $filter) {\n        edges {\n          node {\n            id\n          }\n          hits {\n            number\n            inReply\n            excerpt\n            ranges {\n              start\n              length\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.ConversationHitsDocument,
    "\n  query MessagesToday($userId: String!) {\n    viewer {\n      id\n      endUser(userId: $userId) {\n        userId\n        dailyMessageLimit\n        messagesToday\n        nearestExportLimit {\n          dailyMessageLimit\n          messagesToday\n        }\n      }\n    }\n  }\n": types.MessagesTodayDocument,
    "\n  mutation DeleteConversation($input: DeleteConversationInput!) {\n    deleteConversation(input: $input) {\n      deletedConversationId\n    }\n  }\n": types.DeleteConversationDocument,
    "\n  mutation DeleteConversations($input: DeleteConversationsInput!) {\n    deleteConversations(input: $input) {\n      deletedCount\n    }\n  }\n": types.DeleteConversationsDocument,
    "\n  query TurnPrompt($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on Turn {\n        id\n        version\n        source\n        inputTokens\n        outputTokens\n        message\n        actionResults {\n          callId\n          name\n          result\n          error\n        }\n        passages {\n          n\n          name\n          heading\n          page\n          text\n          source {\n            id\n          }\n        }\n        prompt {\n          instructions\n          earlierTurns\n          actions\n          chain {\n            id\n            message\n            reply\n            actionCalls {\n              id\n              name\n              arguments\n              state\n            }\n            actionResults {\n              callId\n              name\n              result\n              error\n            }\n          }\n          model\n        }\n      }\n    }\n  }\n": types.TurnPromptDocument,
    "\n  query ContinuedTurn($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on Turn {\n        id\n        number\n        conversation {\n          id\n          sessionId\n        }\n      }\n    }\n  }\n": types.ContinuedTurnDocument,
    "\n  fragment TurnRatings on Turn {\n    ratings {\n      kind\n      value\n      note\n      ratedBy {\n        name\n      }\n    }\n  }\n": types.TurnRatingsFragmentDoc,
    "\n  mutation RateTurn($input: RateTurnInput!) {\n    rateTurn(input: $input) {\n      turn {\n        id\n        ...TurnRatings\n      }\n    }\n  }\n": types.RateTurnDocument,
    "\n  fragment TurnMessage on Turn {\n    message\n    actionResults {\n      callId\n      name\n      result\n      error\n    }\n  }\n": types.TurnMessageFragmentDoc,
    "\n  fragment TurnReply on Turn {\n    reply\n    actionCalls {\n      id\n      name\n      arguments\n      state\n    }\n    sources {\n      n\n      name\n      heading\n      page\n      source {\n        id\n      }\n    }\n    output\n    misfit\n    finishReason\n  }\n": types.TurnReplyFragmentDoc,
    "\n  query DailyUsage($from: DateTime!, $to: DateTime!, $timeZone: String) {\n    viewer {\n      id\n      usage(filter: { from: $from, to: $to }, groupBy: [], interval: DAY, timeZone: $timeZone) {\n        start\n        credits\n        messages\n      }\n    }\n  }\n": types.DailyUsageDocument,
    "\n  query TopUp {\n    viewer {\n      id\n      topUpUrl\n    }\n  }\n": types.TopUpDocument,
    "\n  query CreditHistory($first: Int, $after: String, $filter: CreditFilter) {\n    viewer {\n      id\n      createdAt\n      creditHistory(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          kind\n          amount\n          balanceAfter\n          createdAt\n          note\n          agentName\n          exportName\n          agent {\n            id\n            name\n          }\n          export {\n            id\n            name\n          }\n          turn {\n            id\n            number\n            conversationId\n            request {\n              id\n              preview\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.CreditHistoryDocument,
    "\n  query CreditDays(\n    $filter: UsageFilter!\n    $interval: UsageInterval!\n    $timeZone: String\n    $from: DateTime!\n    $to: DateTime!\n    $balances: Boolean!\n  ) {\n    viewer {\n      id\n      usage(filter: $filter, groupBy: [], interval: $interval, timeZone: $timeZone) {\n        start\n        credits\n        messages\n      }\n      first: creditHistory(first: 1, filter: { to: $from }) @include(if: $balances) {\n        nodes {\n          id\n          balanceAfter\n        }\n      }\n      last: creditHistory(first: 1, filter: { to: $to }) @include(if: $balances) {\n        nodes {\n          id\n          balanceAfter\n        }\n      }\n    }\n  }\n": types.CreditDaysDocument,
    "\n  query FirstRequest($exportId: ID!) {\n    viewer {\n      id\n      creditsAvailable\n      requests(first: 5, filter: { exportId: $exportId }) {\n        nodes {\n          id\n          at\n          outcome\n          status\n          code\n          detail\n          credits\n          durationMs\n          turn {\n            message\n            reply\n          }\n        }\n      }\n    }\n  }\n": types.FirstRequestDocument,
    "\n  fragment CalledExport on ApiExport {\n    id\n    state\n    requireUserId\n    userDailyMessageLimit\n    pinnedVersion {\n      variables {\n        name\n        required\n      }\n      actions {\n        name\n      }\n      replySchema\n    }\n    agent {\n      id\n      name\n      publishedVersion {\n        variables {\n          name\n          required\n        }\n        actions {\n          name\n        }\n        replySchema\n      }\n    }\n  }\n": types.CalledExportFragmentDoc,
    "\n  query Quickstart($id: ID!) {\n    node(id: $id) {\n      __typename\n      ...CalledExport\n    }\n  }\n": types.QuickstartDocument,
    "\n  query NewestExport($agentId: ID) {\n    viewer {\n      id\n      exports(first: 1, filter: { agentId: $agentId, state: ACTIVE }) {\n        nodes {\n          id\n          ...CalledExport\n        }\n      }\n    }\n  }\n": types.NewestExportDocument,
    "\n  query AccountTokens {\n    viewer {\n      id\n      accountTokens {\n        id\n        name\n        role\n        createdBy {\n          name\n        }\n        createdAt\n        lastUsedAt\n        expiresAt\n      }\n    }\n  }\n": types.AccountTokensDocument,
    "\n  mutation CreateAccountToken($input: CreateAccountTokenInput!) {\n    createAccountToken(input: $input) {\n      secret\n      accountToken {\n        id\n        name\n      }\n    }\n  }\n": types.CreateAccountTokenDocument,
    "\n  mutation RemoveAccountToken($input: RemoveAccountTokenInput!) {\n    removeAccountToken(input: $input) {\n      removedAccountTokenId\n    }\n  }\n": types.RemoveAccountTokenDocument,
    "\n  query ExportPage($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on ApiExport {\n        id\n        name\n        state\n        createdAt\n        removedAt\n        expiresAt\n        lastUsedAt\n        rateLimitPerMinute\n        version\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n        keys {\n          id\n          createdAt\n          lastUsedAt\n          stopsAt\n          hint\n        }\n        agent {\n          id\n          name\n          state\n          publishedVersion {\n            number\n            variables {\n              name\n              required\n            }\n            actions {\n              name\n            }\n            replySchema\n            model {\n              name\n              creditsPerMessage\n            }\n          }\n        }\n        pinnedVersion {\n          variables {\n            name\n            required\n          }\n          actions {\n            name\n          }\n          replySchema\n        }\n      }\n    }\n  }\n": types.ExportPageDocument,
    "\n  query ExportUse($exportId: ID!, $from: DateTime!, $to: DateTime!, $timeZone: String) {\n    viewer {\n      id\n      total: usage(filter: { exportId: $exportId, from: $from, to: $to }, groupBy: []) {\n        messages\n        failed\n        refused\n        credits\n      }\n      days: usage(\n        filter: { exportId: $exportId, from: $from, to: $to }\n        groupBy: []\n        interval: DAY\n        timeZone: $timeZone\n      ) {\n        start\n        credits\n      }\n    }\n  }\n": types.ExportUseDocument,
    "\n  query ExportCalls($exportId: ID!, $first: Int!) {\n    viewer {\n      id\n      requests(first: $first, filter: { exportId: $exportId }) {\n        nodes {\n          id\n          requestId\n          at\n          outcome\n          status\n          code\n          credits\n          durationMs\n        }\n      }\n    }\n  }\n": types.ExportCallsDocument,
    "\n  mutation ReplaceApiKey($input: ReplaceApiKeyInput!) {\n    replaceApiKey(input: $input) {\n      apiKey\n      export {\n        id\n        name\n      }\n    }\n  }\n": types.ReplaceApiKeyDocument,
    "\n  mutation StopApiKey($input: StopApiKeyInput!) {\n    stopApiKey(input: $input) {\n      export {\n        id\n        keys {\n          id\n          createdAt\n          lastUsedAt\n          stopsAt\n          hint\n        }\n      }\n    }\n  }\n": types.StopApiKeyDocument,
    "\n  mutation SetApiKeyStop($input: SetApiKeyStopInput!) {\n    setApiKeyStop(input: $input) {\n      export {\n        id\n        keys {\n          id\n          createdAt\n          lastUsedAt\n          stopsAt\n          hint\n        }\n      }\n    }\n  }\n": types.SetApiKeyStopDocument,
    "\n  mutation RemoveApiExport($input: RemoveApiExportInput!) {\n    removeApiExport(input: $input) {\n      export {\n        id\n        state\n        removedAt\n      }\n    }\n  }\n": types.RemoveApiExportDocument,
    "\n  query AgentExports($id: ID!) {\n    agent(id: $id) {\n      id\n      name\n      state\n      model {\n        sandbox\n      }\n      publishedVersion {\n        number\n        variables {\n          name\n          required\n        }\n        actions {\n          name\n        }\n        replySchema\n        model {\n          name\n          creditsPerMessage\n        }\n      }\n      exports {\n        id\n        name\n        state\n        expiresAt\n        lastUsedAt\n        rateLimitPerMinute\n        version\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n        keys {\n          id\n          hint\n        }\n      }\n    }\n  }\n": types.AgentExportsDocument,
    "\n  query AccountExports($first: Int, $after: String, $filter: ExportFilter, $orderBy: ExportOrder) {\n    viewer {\n      id\n      exports(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n        nodes {\n          id\n          name\n          state\n          removedAt\n          lastUsedAt\n          expiresAt\n          rateLimitPerMinute\n          version\n          dailyCreditLimit\n          monthlyCreditLimit\n          creditsUsedToday\n          creditsUsedThisMonth\n          requireUserId\n          userDailyMessageLimit\n          keys {\n            id\n            hint\n          }\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.AccountExportsDocument,
    "\n  query LiveAgents($first: Int, $after: String) {\n    agents(\n      first: $first\n      after: $after\n      filter: { state: LIVE }\n      orderBy: { field: NAME, direction: ASC }\n    ) {\n      nodes {\n        id\n        name\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.LiveAgentsDocument,
    "\n  mutation CreateApiExport($input: CreateApiExportInput!) {\n    createApiExport(input: $input) {\n      apiKey\n      export {\n        id\n        name\n      }\n    }\n  }\n": types.CreateApiExportDocument,
    "\n  mutation UpdateApiExport($input: UpdateApiExportInput!) {\n    updateApiExport(input: $input) {\n      export {\n        id\n        name\n        state\n        rateLimitPerMinute\n        version\n        expiresAt\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n      }\n    }\n  }\n": types.UpdateApiExportDocument,
    "\n  mutation PauseApiExport($input: PauseApiExportInput!) {\n    pauseApiExport(input: $input) {\n      export {\n        id\n        state\n      }\n    }\n  }\n": types.PauseApiExportDocument,
    "\n  mutation ResumeApiExport($input: ResumeApiExportInput!) {\n    resumeApiExport(input: $input) {\n      export {\n        id\n        state\n      }\n    }\n  }\n": types.ResumeApiExportDocument,
    "\n  query Home {\n    agents(first: 5) {\n      nodes {\n        id\n        name\n        state\n        hasUnpublishedChanges\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          label\n        }\n      }\n      totalCount\n    }\n    viewer {\n      id\n      conversations(first: 6) {\n        nodes {\n          id\n          sessionId\n          userId\n          preview\n          failedTurns\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n        }\n      }\n      calls: conversations(first: 1, filter: { source: API }) {\n        nodes {\n          id\n        }\n      }\n      charges: creditHistory(first: 1, filter: { kind: CHARGE }) {\n        nodes {\n          id\n          exportName\n        }\n      }\n      exports(first: 1, filter: { state: ACTIVE }) {\n        nodes {\n          id\n          name\n          state\n          requireUserId\n          userDailyMessageLimit\n          agent {\n            id\n            name\n            publishedVersion {\n              variables {\n                name\n                required\n              }\n            }\n          }\n          pinnedVersion {\n            variables {\n              name\n              required\n            }\n          }\n        }\n      }\n    }\n  }\n": types.HomeDocument,
    "\n  query HomeAttention {\n    agents(first: 100) {\n      nodes {\n        id\n        name\n        state\n        hasUnpublishedChanges\n        publishedVersion {\n          number\n        }\n      }\n    }\n    viewer {\n      id\n      exports(first: 100, filter: { state: ACTIVE }) {\n        nodes {\n          id\n          name\n          expiresAt\n          dailyCreditLimit\n          monthlyCreditLimit\n          creditsUsedToday\n          creditsUsedThisMonth\n          agent {\n            id\n          }\n        }\n      }\n    }\n  }\n": types.HomeAttentionDocument,
    "\n  mutation CreateStarter($input: CreateAgentInput!) {\n    createAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n": types.CreateStarterDocument,
    "\n  query HomeUsage(\n    $from: DateTime!\n    $before: DateTime!\n    $to: DateTime!\n    $hourAgo: DateTime!\n    $interval: UsageInterval!\n    $timeZone: String\n  ) {\n    viewer {\n      id\n      now: usage(filter: { from: $from, to: $to }, groupBy: []) {\n        messages\n        failed\n        refused\n        credits\n        durationP50Ms\n        durationP95Ms\n      }\n      before: usage(filter: { from: $before, to: $from }, groupBy: []) {\n        messages\n        failed\n        durationP50Ms\n      }\n      points: usage(\n        filter: { from: $before, to: $to }\n        groupBy: []\n        interval: $interval\n        timeZone: $timeZone\n      ) {\n        start\n        messages\n        failed\n        credits\n        durationP50Ms\n        durationP95Ms\n      }\n      agents: usage(filter: { from: $from, to: $to }, groupBy: [AGENT, SOURCE]) {\n        agent {\n          id\n          name\n        }\n        source\n        messages\n        failed\n        credits\n      }\n      agentPoints: usage(\n        filter: { from: $from, to: $to }\n        groupBy: [AGENT]\n        interval: $interval\n        timeZone: $timeZone\n      ) {\n        start\n        agent {\n          id\n        }\n        messages\n      }\n      lastHour: usage(filter: { from: $hourAgo, to: $to, source: API }, groupBy: [AGENT, STATUS]) {\n        agent {\n          id\n          name\n        }\n        status\n        messages\n        failed\n      }\n    }\n  }\n": types.HomeUsageDocument,
    "\n  query Members {\n    me {\n      id\n    }\n    viewer {\n      id\n      members {\n        userId\n        name\n        email\n        role\n        since\n        secondFactor\n        lastSeenAt\n      }\n    }\n  }\n": types.MembersDocument,
    "\n  query Invitations {\n    viewer {\n      id\n      invitations {\n        id\n        email\n        role\n        invitedBy {\n          name\n        }\n        createdAt\n        expiresAt\n      }\n    }\n  }\n": types.InvitationsDocument,
    "\n  query MadeKeys {\n    viewer {\n      id\n      exports(first: 100, filter: { inUse: true }) {\n        nodes {\n          id\n          name\n          keys {\n            id\n            createdBy {\n              actorId\n            }\n          }\n        }\n      }\n    }\n  }\n": types.MadeKeysDocument,
    "\n  query MadeTokens {\n    me {\n      id\n    }\n    viewer {\n      id\n      accountTokens {\n        id\n        name\n        createdBy {\n          actorId\n        }\n      }\n    }\n  }\n": types.MadeTokensDocument,
    "\n  query InvitationPreview($token: String!) {\n    invitation(token: $token) {\n      accountName\n      email\n      role\n      invitedBy\n      expiresAt\n      known\n    }\n  }\n": types.InvitationPreviewDocument,
    "\n  query MyAddress {\n    me {\n      id\n      email\n    }\n  }\n": types.MyAddressDocument,
    "\n  mutation UpdateAccount($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n        name\n      }\n    }\n  }\n": types.UpdateAccountDocument,
    "\n  mutation InviteMember($input: InviteMemberInput!) {\n    inviteMember(input: $input) {\n      invitation {\n        id\n        email\n      }\n      link\n    }\n  }\n": types.InviteMemberDocument,
    "\n  mutation RenewInvitation($input: RenewInvitationInput!) {\n    renewInvitation(input: $input) {\n      invitation {\n        id\n        email\n      }\n      link\n    }\n  }\n": types.RenewInvitationDocument,
    "\n  mutation RevokeInvitation($input: RevokeInvitationInput!) {\n    revokeInvitation(input: $input) {\n      revokedInvitationId\n    }\n  }\n": types.RevokeInvitationDocument,
    "\n  mutation SetMemberRole($input: SetMemberRoleInput!) {\n    setMemberRole(input: $input) {\n      member {\n        userId\n        role\n      }\n    }\n  }\n": types.SetMemberRoleDocument,
    "\n  mutation RemoveMember($input: RemoveMemberInput!) {\n    removeMember(input: $input) {\n      userId\n    }\n  }\n": types.RemoveMemberDocument,
    "\n  mutation LeaveAccount {\n    leaveAccount {\n      ok\n    }\n  }\n": types.LeaveAccountDocument,
    "\n  mutation AcceptInvitation($input: AcceptInvitationInput!) {\n    acceptInvitation(input: $input) {\n      account {\n        accountId\n      }\n    }\n  }\n": types.AcceptInvitationDocument,
    "\n  query People($first: Int, $after: String, $filter: EndUserFilter, $orderBy: EndUserOrder) {\n    viewer {\n      id\n      endUsers(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n        nodes {\n          userId\n          lastSeenAt\n          messages\n          credits\n          blocked\n          dailyMessageLimit\n          messagesToday\n          nearestExportLimit {\n            dailyMessageLimit\n            messagesToday\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.PeopleDocument,
    "\n  query Person($userId: String!, $from: DateTime!, $since: DateTime!, $to: DateTime!, $timeZone: String) {\n    viewer {\n      id\n      endUser(userId: $userId) {\n        userId\n        firstSeenAt\n        lastSeenAt\n        messages\n        credits\n        conversations\n        blocked\n        dailyMessageLimit\n        messagesToday\n        nearestExportLimit {\n          dailyMessageLimit\n          messagesToday\n          export {\n            id\n            name\n          }\n        }\n      }\n      month: usage(filter: { userId: $userId, from: $from, to: $to }, groupBy: []) {\n        messages\n        failed\n        credits\n      }\n      days: usage(\n        filter: { userId: $userId, from: $since, to: $to, source: API }\n        groupBy: []\n        interval: DAY\n        timeZone: $timeZone\n      ) {\n        start\n        messages\n        failed\n        refused\n      }\n    }\n  }\n": types.PersonDocument,
    "\n  mutation DeleteEndUser($input: DeleteEndUserInput!) {\n    deleteEndUser(input: $input) {\n      deletedCount\n    }\n  }\n": types.DeleteEndUserDocument,
    "\n  mutation BlockEndUser($input: BlockEndUserInput!) {\n    blockEndUser(input: $input) {\n      endUser {\n        blocked\n      }\n    }\n  }\n": types.BlockEndUserDocument,
    "\n  mutation UnblockEndUser($input: UnblockEndUserInput!) {\n    unblockEndUser(input: $input) {\n      endUser {\n        blocked\n      }\n    }\n  }\n": types.UnblockEndUserDocument,
    "\n  mutation SetEndUserLimit($input: SetEndUserLimitInput!) {\n    setEndUserLimit(input: $input) {\n      endUser {\n        dailyMessageLimit\n      }\n    }\n  }\n": types.SetEndUserLimitDocument,
    "\n  fragment SentTurn on Turn {\n    id\n    ...TurnReply\n    ...TurnRatings\n    state\n    version\n    errorCode\n    requestId\n    model\n    fallback\n    credits\n    inputTokens\n    outputTokens\n    firstTextMs\n    durationMs\n  }\n": types.SentTurnFragmentDoc,
    "\n  query PastTests($agentId: ID!, $first: Int!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: $first, filter: { source: PLAYGROUND }) {\n        nodes {\n          id\n          sessionId\n          preview\n          lastTurnAt\n        }\n      }\n    }\n  }\n": types.PastTestsDocument,
    "\n  subscription PlaygroundFollow($input: SendTestMessageInput!) {\n    testMessage(input: $input) {\n      __typename\n      ... on TestMessageStarted {\n        turnId\n      }\n      ... on TestMessageDelta {\n        text\n      }\n      ... on TestMessageEnded {\n        conversation {\n          id\n        }\n        turn {\n          ...SentTurn\n        }\n      }\n      ... on TestMessageFailed {\n        conversation {\n          id\n        }\n        turn {\n          ...SentTurn\n        }\n      }\n    }\n  }\n": types.PlaygroundFollowDocument,
    "\n  query PlaygroundLatestTurn($agentId: ID!, $sessionId: String!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: 1, filter: { sessionId: $sessionId, source: PLAYGROUND }) {\n        nodes {\n          id\n          turns(last: 1) {\n            nodes {\n              message\n              actionResults {\n                callId\n              }\n              ...SentTurn\n            }\n          }\n        }\n      }\n    }\n  }\n": types.PlaygroundLatestTurnDocument,
    "\n  query PlaygroundKept($agentId: ID!, $sessionId: String!, $last: Int!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: 1, filter: { sessionId: $sessionId, source: PLAYGROUND }) {\n        nodes {\n          id\n          continuesFrom {\n            id\n          }\n          turns(last: $last) {\n            nodes {\n              ...TurnMessage\n              userId\n              variables {\n                name\n                value\n              }\n              ...SentTurn\n            }\n          }\n        }\n      }\n    }\n  }\n": types.PlaygroundKeptDocument,
    "\n  query RequestCounts($range: UsageFilter!, $period: UsageFilter!, $interval: UsageInterval!, $timeZone: String) {\n    viewer {\n      id\n      rejectedRequestDays\n      codes: usage(filter: $range, groupBy: [STATUS, AGENT]) {\n        status\n        agent {\n          id\n        }\n        rest\n        messages\n        failed\n        refused\n      }\n      bars: usage(filter: $period, groupBy: [], interval: $interval, timeZone: $timeZone) {\n        start\n        messages\n        failed\n        refused\n      }\n    }\n  }\n": types.RequestCountsDocument,
    "\n  query SimilarRequests($filter: UsageFilter!) {\n    viewer {\n      id\n      usage(filter: $filter, groupBy: [STATUS]) {\n        status\n        failed\n        refused\n      }\n    }\n  }\n": types.SimilarRequestsDocument,
    "\n  query RequestsToSave($first: Int, $after: String, $filter: RequestFilter) {\n    viewer {\n      id\n      createdAt\n      requests(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          requestId\n          at\n          outcome\n          status\n          code\n          detail\n          agent {\n            id\n            name\n          }\n          export {\n            id\n            name\n          }\n          clientAddress\n          sessionId\n          userId\n          model\n          streamed\n          replayed\n          credits\n          durationMs\n          waitedMs\n          modelMs\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.RequestsToSaveDocument,
    "\n  fragment RequestPage on RequestConnection {\n    edges {\n      cursor\n      node {\n        id\n        at\n        outcome\n        status\n        code\n        detail\n        preview\n        agent {\n          id\n          name\n        }\n        sessionId\n        userId\n        replayed\n        credits\n        durationMs\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n": types.RequestPageFragmentDoc,
    "\n  query Requests($first: Int, $after: String, $filter: RequestFilter, $ids: RequestFilter, $searching: Boolean!) {\n    viewer {\n      id\n      requests(first: $first, after: $after, filter: $filter) {\n        ...RequestPage\n      }\n      byId: requests(first: $first, after: $after, filter: $ids) @include(if: $searching) {\n        ...RequestPage\n      }\n    }\n  }\n": types.RequestsDocument,
    "\n  query Request($id: ID!) {\n    request(id: $id) {\n      id\n      requestId\n      at\n      outcome\n      status\n      code\n      detail\n      agent {\n        id\n        name\n      }\n      export {\n        id\n        name\n      }\n      clientAddress\n      sessionId\n      userId\n      model\n      streamed\n      background\n      replayed\n      credits\n      durationMs\n      waitedMs\n      modelMs\n      conversation {\n        id\n        sessionId\n      }\n      turn {\n        id\n        number\n        ...TurnMessage\n        ...TurnReply\n        version\n        providerError {\n          status\n          code\n          message\n        }\n      }\n    }\n  }\n": types.RequestDocument,
    "\n  mutation StartSecondFactor {\n    startSecondFactor {\n      secret\n      uri\n      qrCode\n    }\n  }\n": types.StartSecondFactorDocument,
    "\n  mutation ConfirmSecondFactor($input: ConfirmSecondFactorInput!) {\n    confirmSecondFactor(input: $input) {\n      recoveryCodes\n    }\n  }\n": types.ConfirmSecondFactorDocument,
    "\n  mutation RemoveSecondFactor($input: RemoveSecondFactorInput!) {\n    removeSecondFactor(input: $input) {\n      ok\n    }\n  }\n": types.RemoveSecondFactorDocument,
    "\n  mutation RenewRecoveryCodes($input: RenewRecoveryCodesInput!) {\n    renewRecoveryCodes(input: $input) {\n      recoveryCodes\n    }\n  }\n": types.RenewRecoveryCodesDocument,
    "\n  query SecondFactorRule {\n    me {\n      id\n      secondFactor\n    }\n    viewer {\n      id\n      requireSecondFactor\n    }\n  }\n": types.SecondFactorRuleDocument,
    "\n  mutation SetSecondFactorRule($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n        requireSecondFactor\n      }\n    }\n  }\n": types.SetSecondFactorRuleDocument,
    "\n  query SignIns {\n    viewer {\n      id\n      signIns {\n        id\n        browser\n        address\n        createdAt\n        lastUsedAt\n        current\n      }\n    }\n  }\n": types.SignInsDocument,
    "\n  query Events($first: Int, $after: String) {\n    me {\n      id\n      events(first: $first, after: $after) {\n        nodes {\n          id\n          at\n          actor {\n            kind\n            name\n          }\n          action\n          details {\n            field\n          }\n          address\n          browser\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.EventsDocument,
    "\n  query Address {\n    me {\n      id\n      email\n      emailVerified\n    }\n  }\n": types.AddressDocument,
    "\n  mutation RequestEmailVerification {\n    requestEmailVerification {\n      ok\n    }\n  }\n": types.RequestEmailVerificationDocument,
    "\n  mutation ChangeEmail($input: ChangeEmailInput!) {\n    changeEmail(input: $input) {\n      ok\n    }\n  }\n": types.ChangeEmailDocument,
    "\n  mutation EndSignIn($input: EndSignInInput!) {\n    endSignIn(input: $input) {\n      endedSignInId\n    }\n  }\n": types.EndSignInDocument,
    "\n  mutation SignOutEverywhere {\n    signOutEverywhere {\n      ok\n    }\n  }\n": types.SignOutEverywhereDocument,
    "\n  mutation ChangePassword($input: ChangePasswordInput!) {\n    changePassword(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n": types.ChangePasswordDocument,
    "\n  mutation UpdateUser($input: UpdateUserInput!) {\n    updateUser(input: $input) {\n      user {\n        id\n        name\n      }\n    }\n  }\n": types.UpdateUserDocument,
    "\n  query Notifications {\n    viewer {\n      id\n      viewerRole\n      lowCreditsAt\n    }\n  }\n": types.NotificationsDocument,
    "\n  query KeptData {\n    viewer {\n      id\n      rejectedRequestDays\n      retentionDays\n      serviceRetentionDays\n    }\n  }\n": types.KeptDataDocument,
    "\n  query RetentionPreview($days: Int!) {\n    viewer {\n      id\n      retentionPreview(days: $days) {\n        conversations\n        more\n      }\n    }\n  }\n": types.RetentionPreviewDocument,
    "\n  mutation SetRetention($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n": types.SetRetentionDocument,
    "\n  mutation CreateAccountDownload {\n    createAccountDownload {\n      url\n    }\n  }\n": types.CreateAccountDownloadDocument,
    "\n  mutation SetLowCredits($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n": types.SetLowCreditsDocument,
    "\n  mutation DeleteAccount($input: DeleteAccountInput!) {\n    deleteAccount(input: $input) {\n      ok\n    }\n  }\n": types.DeleteAccountDocument,
    "\n  query Found($userId: String!, $people: EndUserFilter, $sessions: ConversationFilter, $requests: RequestFilter) {\n    viewer {\n      id\n      person: endUser(userId: $userId) {\n        userId\n      }\n      people: endUsers(first: 5, filter: $people) {\n        nodes {\n          userId\n        }\n      }\n      sessions: conversations(first: 5, filter: $sessions) {\n        nodes {\n          id\n          sessionId\n          agent {\n            id\n            name\n          }\n        }\n      }\n      requests(first: 1, filter: $requests) {\n        nodes {\n          id\n        }\n      }\n    }\n  }\n": types.FoundDocument,
    "\n  query TestCases($agentId: ID!, $first: Int!, $after: String, $search: String) {\n    agent(id: $agentId) {\n      id\n      testCases(first: $first, after: $after, search: $search) {\n        nodes {\n          id\n          number\n          document\n          newestOutcome {\n            passes\n            repeats\n            passed\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.TestCasesDocument,
    "\n  query TestCase($id: ID!) {\n    testCase(id: $id) {\n      id\n      number\n      document\n      conversation {\n        id\n      }\n    }\n  }\n": types.TestCaseDocument,
    "\n  query TestCaseFrom($turnId: ID!) {\n    testCaseFrom(turnId: $turnId)\n  }\n": types.TestCaseFromDocument,
    "\n  mutation CreateTestCase($input: CreateTestCaseInput!) {\n    createTestCase(input: $input) {\n      testCase {\n        id\n      }\n    }\n  }\n": types.CreateTestCaseDocument,
    "\n  mutation UpdateTestCase($input: UpdateTestCaseInput!) {\n    updateTestCase(input: $input) {\n      testCase {\n        id\n      }\n    }\n  }\n": types.UpdateTestCaseDocument,
    "\n  mutation DeleteTestCases($input: DeleteTestCasesInput!) {\n    deleteTestCases(input: $input) {\n      ids\n    }\n  }\n": types.DeleteTestCasesDocument,
    "\n  mutation ImportTestCases($input: ImportTestCasesInput!) {\n    importTestCases(input: $input) {\n      imported\n      skipped {\n        line\n        message\n      }\n    }\n  }\n": types.ImportTestCasesDocument,
    "\n  query TestRuns($agentId: ID!, $first: Int!, $after: String) {\n    agent(id: $agentId) {\n      id\n      testRuns(first: $first, after: $after) {\n        nodes {\n          id\n          number\n          version {\n            number\n          }\n          model\n          whole\n          state\n          stopReason\n          repeats\n          attempts\n          done\n          passed\n          credits\n          createdAt\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.TestRunsDocument,
    "\n  query TestRun($id: ID!) {\n    testRun(id: $id) {\n      id\n      number\n      agent {\n        id\n      }\n      version {\n        number\n      }\n      model\n      state\n      stopReason\n      repeats\n      neededPasses\n      attempts\n      done\n      passed\n      budget\n      credits\n      startedBy {\n        name\n      }\n      createdAt\n    }\n  }\n": types.TestRunDocument,
    "\n  query TestOutcomes($id: ID!, $first: Int!, $after: String, $against: ID) {\n    testRun(id: $id) {\n      id\n      done\n      outcomes(first: $first, after: $after, against: $against) {\n        nodes {\n          caseNumber\n          case {\n            id\n            document\n          }\n          passes\n          repeats\n          passed\n          change\n          before {\n            passes\n            repeats\n            passed\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.TestOutcomesDocument,
    "\n  query TestResults($id: ID!, $first: Int!, $after: String, $caseNumber: Int) {\n    testRun(id: $id) {\n      id\n      results(first: $first, after: $after, caseNumber: $caseNumber) {\n        nodes {\n          caseNumber\n          repeat\n          passed\n          errorCode\n          credits\n          durationMs\n          verdicts {\n            check\n            type\n            passed\n            judgeTurn {\n              id\n              reply\n            }\n          }\n          turn {\n            id\n            number\n            conversationId\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.TestResultsDocument,
    "\n  query TestRunPrice($input: StartTestRunInput!) {\n    testRunPrice(input: $input) {\n      most\n      exact\n      attempts\n    }\n  }\n": types.TestRunPriceDocument,
    "\n  mutation StartTestRun($input: StartTestRunInput!) {\n    startTestRun(input: $input) {\n      testRun {\n        id\n      }\n    }\n  }\n": types.StartTestRunDocument,
    "\n  mutation StopTestRun($input: StopTestRunInput!) {\n    stopTestRun(input: $input) {\n      testRun {\n        id\n        state\n        stopReason\n      }\n    }\n  }\n": types.StopTestRunDocument,
    "\n  mutation DeleteTestRun($input: DeleteTestRunInput!) {\n    deleteTestRun(input: $input) {\n      deletedTestRunId\n    }\n  }\n": types.DeleteTestRunDocument,
    "\n  query TestSettings($agentId: ID!) {\n    agent(id: $agentId) {\n      id\n      tests {\n        gate\n        repeats\n        neededPasses\n        judge {\n          id\n          name\n        }\n        tokenCreditsPerDay\n      }\n    }\n  }\n": types.TestSettingsDocument,
    "\n  mutation UpdateTestSettings($input: UpdateTestSettingsInput!) {\n    updateTestSettings(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": types.UpdateTestSettingsDocument,
    "\n  query UsagePage(\n    $filter: UsageFilter!\n    $api: UsageFilter!\n    $before: UsageFilter!\n    $whole: UsageFilter!\n    $inMonth: Boolean!\n    $split: [UsageDimension!]!\n    $interval: UsageInterval!\n    $timeZone: String\n  ) {\n    viewer {\n      id\n      rows: usage(filter: $filter, groupBy: $split) {\n        agent {\n          id\n          name\n        }\n        agentName\n        export {\n          id\n          name\n        }\n        exportName\n        model\n        userId\n        status\n        rest\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n        durationP50Ms\n        durationP95Ms\n      }\n      requests: usage(filter: $api, groupBy: $split) {\n        agent {\n          id\n        }\n        agentName\n        export {\n          id\n        }\n        exportName\n        model\n        userId\n        status\n        rest\n        messages\n      }\n      total: usage(filter: $filter, groupBy: []) {\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n        durationP50Ms\n        durationP95Ms\n      }\n      before: usage(filter: $before, groupBy: []) {\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n        durationP50Ms\n      }\n      whole: usage(filter: $whole, groupBy: []) @include(if: $inMonth) {\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n        durationP50Ms\n      }\n      points: usage(filter: $filter, groupBy: $split, interval: $interval, timeZone: $timeZone) {\n        start\n        agent {\n          id\n          name\n        }\n        agentName\n        export {\n          id\n          name\n        }\n        exportName\n        model\n        userId\n        status\n        rest\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n      }\n      times: usage(filter: $filter, groupBy: [], interval: $interval, timeZone: $timeZone) {\n        start\n        messages\n        credits\n        durationP50Ms\n        durationP95Ms\n      }\n    }\n  }\n": types.UsagePageDocument,
    "\n  fragment DraftContent on Agent {\n    instructions\n    temperature\n    maxOutputTokens\n    contextTurns\n    replySchema\n    actions {\n      name\n      description\n      parameters\n    }\n    variables {\n      name\n      description\n      required\n      defaultValue\n    }\n    model {\n      name\n      label\n    }\n    fallbackModel {\n      name\n      label\n    }\n  }\n": types.DraftContentFragmentDoc,
    "\n  fragment VersionContent on AgentVersion {\n    number\n    instructions\n    modelName\n    temperature\n    maxOutputTokens\n    contextTurns\n    replySchema\n    knowledge {\n      id\n      name\n      inDraft\n    }\n    actions {\n      name\n      description\n      parameters\n    }\n    variables {\n      name\n      description\n      required\n      defaultValue\n    }\n    model {\n      name\n      label\n    }\n    fallbackModelName\n    fallbackModel {\n      name\n      label\n    }\n  }\n": types.VersionContentFragmentDoc,
    "\n  query PublishTests($agentId: ID!) {\n    agent(id: $agentId) {\n      id\n      tests {\n        gate\n        standing\n      }\n      testRuns(first: 20) {\n        nodes {\n          id\n          number\n          version {\n            number\n          }\n          model\n          whole\n          state\n          repeats\n          attempts\n          passed\n        }\n      }\n    }\n  }\n": types.PublishTestsDocument,
    "\n  query Review($id: ID!) {\n    agent(id: $id) {\n      id\n      name\n      state\n      missing\n      updatedAt\n      hasUnpublishedChanges\n      ...DraftContent\n      knowledge(first: 100) {\n        nodes {\n          id\n          name\n          state\n          inDraft\n          inVersions\n        }\n      }\n      model {\n        sandbox\n        creditsPerMessage\n        creditsWithKnowledge\n      }\n      fallbackModel {\n        creditsPerMessage\n        creditsWithKnowledge\n      }\n      publishedVersion {\n        ...VersionContent\n        model {\n          sandbox\n          creditsPerMessage\n          creditsWithKnowledge\n        }\n      }\n      exports {\n        id\n        name\n        version\n      }\n    }\n  }\n": types.ReviewDocument,
    "\n  query Versions($id: ID!, $first: Int, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: $first, after: $after) {\n        edges {\n          cursor\n          node {\n            number\n            createdAt\n            note\n            model {\n              name\n              label\n              creditsPerMessage\n              creditsWithKnowledge\n              available\n            }\n            publishedBy {\n              name\n            }\n            pinnedBy {\n              id\n              name\n            }\n            ratings {\n              up\n              down\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.VersionsDocument,
    "\n  query Version($id: ID!, $number: Int!) {\n    agent(id: $id) {\n      id\n      version(number: $number) {\n        ...VersionContent\n      }\n    }\n  }\n": types.VersionDocument,
    "\n  query VersionContents($id: ID!, $first: Int, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: $first, after: $after) {\n        nodes {\n          ...VersionContent\n        }\n      }\n    }\n  }\n": types.VersionContentsDocument,
    "\n  query VersionGiven($id: ID!, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: 2, after: $after) {\n        nodes {\n          number\n          knowledge {\n            id\n          }\n          variables {\n            name\n            description\n            required\n            defaultValue\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.VersionGivenDocument,
    "\n  query VersionSuccess($agentId: ID!, $from: DateTime!, $to: DateTime!) {\n    viewer {\n      id\n      usage(filter: { agentId: $agentId, from: $from, to: $to }, groupBy: [VERSION]) {\n        version\n        messages\n        failed\n      }\n    }\n  }\n": types.VersionSuccessDocument,
    "\n  mutation PinApiExport($input: UpdateApiExportInput!) {\n    updateApiExport(input: $input) {\n      export {\n        id\n        version\n      }\n    }\n  }\n": types.PinApiExportDocument,
    "\n  mutation PublishAgent($input: PublishAgentInput!) {\n    publishAgent(input: $input) {\n      version {\n        number\n      }\n      notReady {\n        id\n        name\n      }\n    }\n  }\n": types.PublishAgentDocument,
    "\n  mutation RestoreAgentVersion($input: RestoreAgentVersionInput!) {\n    restoreAgentVersion(input: $input) {\n      agent {\n        id\n        updatedAt\n      }\n    }\n  }\n": types.RestoreAgentVersionDocument,
    "\n  mutation DiscardAgentChanges($input: DiscardAgentChangesInput!) {\n    discardAgentChanges(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n": types.DiscardAgentChangesDocument,
    "\n  mutation UpdateWebhook($input: UpdateWebhookInput!) {\n    updateWebhook(input: $input) {\n      webhook {\n        id\n      }\n    }\n  }\n": types.UpdateWebhookDocument,
    "\n  mutation DeleteWebhook($input: DeleteWebhookInput!) {\n    deleteWebhook(input: $input) {\n      deletedWebhookId\n    }\n  }\n": types.DeleteWebhookDocument,
    "\n  mutation TestWebhook($input: TestWebhookInput!) {\n    testWebhook(input: $input) {\n      delivery {\n        id\n      }\n    }\n  }\n": types.TestWebhookDocument,
    "\n  mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {\n    rotateWebhookSecret(input: $input) {\n      secret\n      webhook {\n        id\n        url\n      }\n    }\n  }\n": types.RotateWebhookSecretDocument,
    "\n  mutation CreateWebhook($input: CreateWebhookInput!) {\n    createWebhook(input: $input) {\n      secret\n      webhook {\n        id\n        url\n      }\n    }\n  }\n": types.CreateWebhookDocument,
    "\n  query WebhookDelivery($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on WebhookDelivery {\n        id\n        body\n        createdAt\n        tries\n      }\n    }\n  }\n": types.WebhookDeliveryDocument,
    "\n  mutation RetryWebhookDelivery($input: RetryWebhookDeliveryInput!) {\n    retryWebhookDelivery(input: $input) {\n      delivery {\n        id\n      }\n    }\n  }\n": types.RetryWebhookDeliveryDocument,
    "\n  query WebhookDeliveries($id: ID!, $first: Int, $after: String, $failed: Boolean) {\n    node(id: $id) {\n      __typename\n      ... on Webhook {\n        id\n        deliveries(first: $first, after: $after, failed: $failed) {\n          nodes {\n            id\n            event\n            status\n            tookMs\n            error\n            sentAt\n            nextTryAt\n          }\n          pageInfo {\n            hasNextPage\n            endCursor\n          }\n        }\n      }\n    }\n  }\n": types.WebhookDeliveriesDocument,
    "\n  query Webhooks {\n    serviceInfo {\n      ownerWebhooks\n    }\n    viewer {\n      id\n      webhooks {\n        id\n        url\n        events\n        state\n        createdBy {\n          name\n        }\n        createdAt\n        failingSince\n        previousSecretUntil\n        dropped\n      }\n    }\n  }\n": types.WebhooksDocument,
    "\n  query Memberships {\n    me {\n      id\n      memberships {\n        account {\n          accountId\n        }\n      }\n    }\n  }\n": types.MembershipsDocument,
    "\n  mutation RenewAccess {\n    renewAccess {\n      accessToken\n      expiresAt\n    }\n  }\n": types.RenewAccessDocument,
    "\n  query AgentChoices($after: String) {\n    agents(first: 100, after: $after) {\n      nodes {\n        id\n        name\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.AgentChoicesDocument,
    "\n  query ExportChoices($agentId: ID, $after: String) {\n    viewer {\n      id\n      exports(first: 100, after: $after, filter: { agentId: $agentId }) {\n        nodes {\n          id\n          name\n          state\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.ExportChoicesDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateAccount($input: CreateAccountInput!) {\n    createAccount(input: $input) {\n      account {\n        accountId\n      }\n    }\n  }\n"): typeof import('./graphql').CreateAccountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MyAccounts {\n    me {\n      id\n      memberships {\n        account {\n          accountId\n          name\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').MyAccountsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ImportAgent($input: ImportAgentInput!) {\n    importAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n      notes {\n        line\n        path\n        message\n      }\n      moreNotes\n    }\n  }\n"): typeof import('./graphql').ImportAgentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AgentFileHead($id: ID!) {\n    agent(id: $id) {\n      id\n      fileHead\n    }\n  }\n"): typeof import('./graphql').AgentFileHeadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AgentFileSources($id: ID!, $first: Int!, $after: String, $length: Int!) {\n    agent(id: $id) {\n      id\n      knowledge(first: $first, after: $after) {\n        nodes {\n          id\n          kind\n          name\n          state\n          pages\n          characters\n          inDraft\n          question\n          text(offset: 0, length: $length)\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').AgentFileSourcesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query KnowledgeUse($id: ID!) {\n    agent(id: $id) {\n      id\n      knowledgeUse {\n        sources\n        maxSources\n        passages\n        maxPassages\n        bytes\n        maxBytes\n        mode\n      }\n    }\n  }\n"): typeof import('./graphql').KnowledgeUseDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Knowledge($id: ID!, $first: Int, $after: String) {\n    agent(id: $id) {\n      id\n      knowledge(first: $first, after: $after) {\n        nodes {\n          id\n          kind\n          name\n          state\n          reason\n          size\n          characters\n          passages\n          pages\n          createdAt\n          inDraft\n          inVersions\n          notes {\n            code\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').KnowledgeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query KnowledgeSource($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on KnowledgeSource {\n        id\n        kind\n        name\n        state\n        reason\n        size\n        characters\n        passages\n        pages\n        createdAt\n        inDraft\n        inVersions\n        question\n        encoding\n        notes {\n          code\n          message\n          sample\n          encoding\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').KnowledgeSourceDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query KnowledgeText($id: ID!, $offset: Int!, $length: Int!) {\n    node(id: $id) {\n      __typename\n      ... on KnowledgeSource {\n        id\n        characters\n        text(offset: $offset, length: $length)\n      }\n    }\n  }\n"): typeof import('./graphql').KnowledgeTextDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SearchKnowledge($agentId: ID!, $message: String!) {\n    searchKnowledge(agentId: $agentId, message: $message) {\n      source {\n        id\n        name\n      }\n      heading\n      page\n      text\n      score\n      words\n    }\n  }\n"): typeof import('./graphql').SearchKnowledgeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AddKnowledgeText($input: AddKnowledgeTextInput!) {\n    addKnowledgeText(input: $input) {\n      source {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').AddKnowledgeTextDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AddKnowledgeAnswer($input: AddKnowledgeAnswerInput!) {\n    addKnowledgeAnswer(input: $input) {\n      source {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').AddKnowledgeAnswerDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ImportKnowledgeAnswers($input: ImportKnowledgeAnswersInput!) {\n    importKnowledgeAnswers(input: $input) {\n      header\n      rows {\n        row\n        questions\n        answer\n        problem\n      }\n      added\n      notes {\n        code\n        message\n        sample\n        encoding\n      }\n    }\n  }\n"): typeof import('./graphql').ImportKnowledgeAnswersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AddKnowledgeFile($input: AddKnowledgeFileInput!) {\n    addKnowledgeFile(input: $input) {\n      source {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').AddKnowledgeFileDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RetryKnowledgeSource($input: RetryKnowledgeSourceInput!) {\n    retryKnowledgeSource(input: $input) {\n      source {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').RetryKnowledgeSourceDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ReplaceKnowledgeSource($input: ReplaceKnowledgeSourceInput!) {\n    replaceKnowledgeSource(input: $input) {\n      source {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').ReplaceKnowledgeSourceDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveKnowledgeSource($input: RemoveKnowledgeSourceInput!) {\n    removeKnowledgeSource(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').RemoveKnowledgeSourceDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteKnowledgeSource($input: DeleteKnowledgeSourceInput!) {\n    deleteKnowledgeSource(input: $input) {\n      deletedKnowledgeSourceId\n    }\n  }\n"): typeof import('./graphql').DeleteKnowledgeSourceDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteUnusedKnowledge($input: DeleteUnusedKnowledgeInput!) {\n    deleteUnusedKnowledge(input: $input) {\n      deleted\n    }\n  }\n"): typeof import('./graphql').DeleteUnusedKnowledgeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AgentFigures($from: DateTime!, $month: DateTime!, $to: DateTime!) {\n    viewer {\n      id\n      day: usage(filter: { from: $from, to: $to }, groupBy: [AGENT]) {\n        agent {\n          id\n        }\n        messages\n        failed\n      }\n      month: usage(filter: { from: $month, to: $to }, groupBy: [AGENT]) {\n        agent {\n          id\n        }\n        credits\n      }\n    }\n  }\n"): typeof import('./graphql').AgentFiguresDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Agents($first: Int, $after: String, $filter: AgentFilter, $orderBy: AgentOrder) {\n    agents(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n      nodes {\n        id\n        name\n        description\n        state\n        hasUnpublishedChanges\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          name\n          label\n        }\n        exports {\n          id\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): typeof import('./graphql').AgentsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Models {\n    models {\n      name\n      label\n      provider\n      creditsPerMessage\n      creditsWithKnowledge\n      available\n      contextWindow\n      sandbox\n    }\n  }\n"): typeof import('./graphql').ModelsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateAgent($input: CreateAgentInput!) {\n    createAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').CreateAgentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DuplicateAgent($input: DuplicateAgentInput!) {\n    duplicateAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').DuplicateAgentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment EditedAgent on Agent {\n    id\n    name\n    description\n    ...DraftContent\n    state\n    missing\n    hasUnpublishedChanges\n    updatedAt\n    lastUsedAt\n    publishedVersion {\n      number\n    }\n    model {\n      creditsPerMessage\n      creditsWithKnowledge\n      available\n      sandbox\n    }\n    fallbackModel {\n      creditsPerMessage\n      creditsWithKnowledge\n      available\n    }\n    exports {\n      id\n      version\n    }\n    knowledgeUse {\n      mode\n    }\n  }\n"): typeof import('./graphql').EditedAgentFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Agent($id: ID!) {\n    agent(id: $id) {\n      ...EditedAgent\n    }\n  }\n"): typeof import('./graphql').AgentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateAgent($input: UpdateAgentInput!) {\n    updateAgent(input: $input) {\n      agent {\n        ...EditedAgent\n      }\n    }\n  }\n"): typeof import('./graphql').UpdateAgentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExampleReply($schema: String!) {\n    exampleReply(schema: $schema)\n    schemaNotes(schema: $schema) {\n      path\n    }\n  }\n"): typeof import('./graphql').ExampleReplyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UnpublishAgent($input: UnpublishAgentInput!) {\n    unpublishAgent(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').UnpublishAgentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteAgent($input: DeleteAgentInput!) {\n    deleteAgent(input: $input) {\n      deletedAgentId\n    }\n  }\n"): typeof import('./graphql').DeleteAgentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ReplaceCandidates($first: Int, $after: String, $filter: AgentFilter) {\n    agents(first: $first, after: $after, filter: $filter) {\n      nodes {\n        id\n        name\n        state\n        missing\n        instructions\n        updatedAt\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      totalCount\n    }\n  }\n"): typeof import('./graphql').ReplaceCandidatesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ReplaceInstructions($input: UpdateAgentInput!) {\n    updateAgent(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').ReplaceInstructionsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AuditLog($first: Int, $after: String, $filter: AuditFilter) {\n    viewer {\n      id\n      createdAt\n      auditLog(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          at\n          actor {\n            kind\n            actorId\n            name\n          }\n          action\n          subject\n          details {\n            field\n          }\n          address\n          browser\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').AuditLogDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConfirmPassword($input: ConfirmPasswordInput!) {\n    confirmPassword(input: $input) {\n      ok\n    }\n  }\n"): typeof import('./graphql').ConfirmPasswordDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignIn($input: SignInInput!) {\n    signIn(input: $input) {\n      accessToken\n      expiresAt\n    }\n  }\n"): typeof import('./graphql').SignInDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignUp($input: SignUpInput!) {\n    signUp(input: $input) {\n      accessToken\n      expiresAt\n      mailSent\n    }\n  }\n"): typeof import('./graphql').SignUpDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignOut {\n    signOut {\n      ok\n    }\n  }\n"): typeof import('./graphql').SignOutDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RequestPasswordReset($input: RequestPasswordResetInput!) {\n    requestPasswordReset(input: $input) {\n      ok\n    }\n  }\n"): typeof import('./graphql').RequestPasswordResetDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ResetPassword($input: ResetPasswordInput!) {\n    resetPassword(input: $input) {\n      ok\n      leftBehind {\n        members\n        keys {\n          exportName\n          createdAt\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').ResetPasswordDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PasswordReset($token: String!) {\n    passwordReset(token: $token)\n  }\n"): typeof import('./graphql').PasswordResetDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation VerifyEmail($input: VerifyEmailInput!) {\n    verifyEmail(input: $input) {\n      ok\n    }\n  }\n"): typeof import('./graphql').VerifyEmailDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UndoEmailChange($input: UndoEmailChangeInput!) {\n    undoEmailChange(input: $input) {\n      ok\n    }\n  }\n"): typeof import('./graphql').UndoEmailChangeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Viewer {\n    me {\n      id\n      name\n      email\n      memberships {\n        account {\n          accountId\n          name\n        }\n        role\n      }\n    }\n    viewer {\n      id\n      name\n      viewerRole\n      creditBalance\n      creditsHeld\n      creditsAvailable\n      lowCreditsAt\n    }\n    serviceInfo {\n      signUpOpen\n    }\n  }\n"): typeof import('./graphql').ViewerDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SecondFactor {\n    me {\n      id\n      emailVerified\n      secondFactor\n      recoveryCodesLeft\n    }\n  }\n"): typeof import('./graphql').SecondFactorDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ServiceInfo {\n    serviceInfo {\n      version\n      baseUrl\n      signUpOpen\n      creditsHelp\n      supportContact\n      mail\n      startingCredits\n      bridgeUrl\n    }\n  }\n"): typeof import('./graphql').ServiceInfoDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SavedTurns on TurnConnection {\n    nodes {\n      id\n      number\n      createdAt\n      state\n      errorCode\n      message\n      actionResults {\n        callId\n        name\n        result\n        error\n      }\n      reply\n      actionCalls {\n        id\n        name\n        arguments\n        state\n      }\n      output\n      misfit\n      finishReason\n      requestId\n      version\n      userId\n      variables {\n        name\n        value\n      }\n      model\n      fallback\n      credits\n      ratings {\n        kind\n        value\n        note\n        ratedBy {\n          name\n        }\n        ratedAt\n      }\n      inputTokens\n      outputTokens\n      waitedMs\n      firstTextMs\n      durationMs\n      export {\n        id\n        name\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n"): typeof import('./graphql').SavedTurnsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConversationsToSave($first: Int, $after: String, $filter: ConversationFilter, $turns: Int) {\n    viewer {\n      id\n      createdAt\n      conversations(first: $first, after: $after, filter: $filter) {\n        searchedTo\n        nodes {\n          id\n          sessionId\n          source\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n          turns(first: $turns) {\n            ...SavedTurns\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').ConversationsToSaveDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FurtherTurns($id: ID!, $turns: Int, $after: String) {\n    conversation(id: $id) {\n      id\n      turns(first: $turns, after: $after) {\n        ...SavedTurns\n      }\n    }\n  }\n"): typeof import('./graphql').FurtherTurnsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Conversations($first: Int, $after: String, $filter: ConversationFilter) {\n    viewer {\n      id\n      conversations(first: $first, after: $after, filter: $filter) {\n        searchedTo\n        edges {\n          node {\n            id\n          }\n          hits {\n            number\n            inReply\n            excerpt\n            ranges {\n              start\n              length\n            }\n          }\n        }\n        nodes {\n          id\n          sessionId\n          source\n          userId\n          preview\n          turnCount\n          failedTurns\n          credits\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').ConversationsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Transcript($id: ID!, $last: Int!, $before: String) {\n    conversation(id: $id) {\n      id\n      sessionId\n      source\n      userId\n      turnCount\n      failedTurns\n      credits\n      createdAt\n      lastTurnAt\n      continuesFrom {\n        id\n        number\n        conversationId\n      }\n      agent {\n        id\n        name\n      }\n      turns(last: $last, before: $before) {\n        nodes {\n          id\n          conversationId\n          number\n          ...TurnMessage\n          ...TurnReply\n          ...TurnRatings\n          state\n          errorCode\n          requestId\n          version\n          model\n          fallback\n          background\n          userId\n          variables {\n            name\n            value\n          }\n          source\n          credits\n          createdAt\n          durationMs\n          request {\n            id\n          }\n          export {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasPreviousPage\n          startCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').TranscriptDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConversationHits($after: String, $filter: ConversationFilter) {\n    viewer {\n      id\n      conversations(first: 1, after: $after, filter: $filter) {\n        edges {\n          node {\n            id\n          }\n          hits {\n            number\n            inReply\n            excerpt\n            ranges {\n              start\n              length\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').ConversationHitsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MessagesToday($userId: String!) {\n    viewer {\n      id\n      endUser(userId: $userId) {\n        userId\n        dailyMessageLimit\n        messagesToday\n        nearestExportLimit {\n          dailyMessageLimit\n          messagesToday\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').MessagesTodayDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteConversation($input: DeleteConversationInput!) {\n    deleteConversation(input: $input) {\n      deletedConversationId\n    }\n  }\n"): typeof import('./graphql').DeleteConversationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteConversations($input: DeleteConversationsInput!) {\n    deleteConversations(input: $input) {\n      deletedCount\n    }\n  }\n"): typeof import('./graphql').DeleteConversationsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TurnPrompt($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on Turn {\n        id\n        version\n        source\n        inputTokens\n        outputTokens\n        message\n        actionResults {\n          callId\n          name\n          result\n          error\n        }\n        passages {\n          n\n          name\n          heading\n          page\n          text\n          source {\n            id\n          }\n        }\n        prompt {\n          instructions\n          earlierTurns\n          actions\n          chain {\n            id\n            message\n            reply\n            actionCalls {\n              id\n              name\n              arguments\n              state\n            }\n            actionResults {\n              callId\n              name\n              result\n              error\n            }\n          }\n          model\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').TurnPromptDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ContinuedTurn($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on Turn {\n        id\n        number\n        conversation {\n          id\n          sessionId\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').ContinuedTurnDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment TurnRatings on Turn {\n    ratings {\n      kind\n      value\n      note\n      ratedBy {\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').TurnRatingsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RateTurn($input: RateTurnInput!) {\n    rateTurn(input: $input) {\n      turn {\n        id\n        ...TurnRatings\n      }\n    }\n  }\n"): typeof import('./graphql').RateTurnDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment TurnMessage on Turn {\n    message\n    actionResults {\n      callId\n      name\n      result\n      error\n    }\n  }\n"): typeof import('./graphql').TurnMessageFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment TurnReply on Turn {\n    reply\n    actionCalls {\n      id\n      name\n      arguments\n      state\n    }\n    sources {\n      n\n      name\n      heading\n      page\n      source {\n        id\n      }\n    }\n    output\n    misfit\n    finishReason\n  }\n"): typeof import('./graphql').TurnReplyFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query DailyUsage($from: DateTime!, $to: DateTime!, $timeZone: String) {\n    viewer {\n      id\n      usage(filter: { from: $from, to: $to }, groupBy: [], interval: DAY, timeZone: $timeZone) {\n        start\n        credits\n        messages\n      }\n    }\n  }\n"): typeof import('./graphql').DailyUsageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TopUp {\n    viewer {\n      id\n      topUpUrl\n    }\n  }\n"): typeof import('./graphql').TopUpDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CreditHistory($first: Int, $after: String, $filter: CreditFilter) {\n    viewer {\n      id\n      createdAt\n      creditHistory(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          kind\n          amount\n          balanceAfter\n          createdAt\n          note\n          agentName\n          exportName\n          agent {\n            id\n            name\n          }\n          export {\n            id\n            name\n          }\n          turn {\n            id\n            number\n            conversationId\n            request {\n              id\n              preview\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').CreditHistoryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CreditDays(\n    $filter: UsageFilter!\n    $interval: UsageInterval!\n    $timeZone: String\n    $from: DateTime!\n    $to: DateTime!\n    $balances: Boolean!\n  ) {\n    viewer {\n      id\n      usage(filter: $filter, groupBy: [], interval: $interval, timeZone: $timeZone) {\n        start\n        credits\n        messages\n      }\n      first: creditHistory(first: 1, filter: { to: $from }) @include(if: $balances) {\n        nodes {\n          id\n          balanceAfter\n        }\n      }\n      last: creditHistory(first: 1, filter: { to: $to }) @include(if: $balances) {\n        nodes {\n          id\n          balanceAfter\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').CreditDaysDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query FirstRequest($exportId: ID!) {\n    viewer {\n      id\n      creditsAvailable\n      requests(first: 5, filter: { exportId: $exportId }) {\n        nodes {\n          id\n          at\n          outcome\n          status\n          code\n          detail\n          credits\n          durationMs\n          turn {\n            message\n            reply\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').FirstRequestDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment CalledExport on ApiExport {\n    id\n    state\n    requireUserId\n    userDailyMessageLimit\n    pinnedVersion {\n      variables {\n        name\n        required\n      }\n      actions {\n        name\n      }\n      replySchema\n    }\n    agent {\n      id\n      name\n      publishedVersion {\n        variables {\n          name\n          required\n        }\n        actions {\n          name\n        }\n        replySchema\n      }\n    }\n  }\n"): typeof import('./graphql').CalledExportFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Quickstart($id: ID!) {\n    node(id: $id) {\n      __typename\n      ...CalledExport\n    }\n  }\n"): typeof import('./graphql').QuickstartDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query NewestExport($agentId: ID) {\n    viewer {\n      id\n      exports(first: 1, filter: { agentId: $agentId, state: ACTIVE }) {\n        nodes {\n          id\n          ...CalledExport\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').NewestExportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AccountTokens {\n    viewer {\n      id\n      accountTokens {\n        id\n        name\n        role\n        createdBy {\n          name\n        }\n        createdAt\n        lastUsedAt\n        expiresAt\n      }\n    }\n  }\n"): typeof import('./graphql').AccountTokensDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateAccountToken($input: CreateAccountTokenInput!) {\n    createAccountToken(input: $input) {\n      secret\n      accountToken {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').CreateAccountTokenDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveAccountToken($input: RemoveAccountTokenInput!) {\n    removeAccountToken(input: $input) {\n      removedAccountTokenId\n    }\n  }\n"): typeof import('./graphql').RemoveAccountTokenDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExportPage($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on ApiExport {\n        id\n        name\n        state\n        createdAt\n        removedAt\n        expiresAt\n        lastUsedAt\n        rateLimitPerMinute\n        version\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n        keys {\n          id\n          createdAt\n          lastUsedAt\n          stopsAt\n          hint\n        }\n        agent {\n          id\n          name\n          state\n          publishedVersion {\n            number\n            variables {\n              name\n              required\n            }\n            actions {\n              name\n            }\n            replySchema\n            model {\n              name\n              creditsPerMessage\n            }\n          }\n        }\n        pinnedVersion {\n          variables {\n            name\n            required\n          }\n          actions {\n            name\n          }\n          replySchema\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').ExportPageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExportUse($exportId: ID!, $from: DateTime!, $to: DateTime!, $timeZone: String) {\n    viewer {\n      id\n      total: usage(filter: { exportId: $exportId, from: $from, to: $to }, groupBy: []) {\n        messages\n        failed\n        refused\n        credits\n      }\n      days: usage(\n        filter: { exportId: $exportId, from: $from, to: $to }\n        groupBy: []\n        interval: DAY\n        timeZone: $timeZone\n      ) {\n        start\n        credits\n      }\n    }\n  }\n"): typeof import('./graphql').ExportUseDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExportCalls($exportId: ID!, $first: Int!) {\n    viewer {\n      id\n      requests(first: $first, filter: { exportId: $exportId }) {\n        nodes {\n          id\n          requestId\n          at\n          outcome\n          status\n          code\n          credits\n          durationMs\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').ExportCallsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ReplaceApiKey($input: ReplaceApiKeyInput!) {\n    replaceApiKey(input: $input) {\n      apiKey\n      export {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').ReplaceApiKeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StopApiKey($input: StopApiKeyInput!) {\n    stopApiKey(input: $input) {\n      export {\n        id\n        keys {\n          id\n          createdAt\n          lastUsedAt\n          stopsAt\n          hint\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').StopApiKeyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetApiKeyStop($input: SetApiKeyStopInput!) {\n    setApiKeyStop(input: $input) {\n      export {\n        id\n        keys {\n          id\n          createdAt\n          lastUsedAt\n          stopsAt\n          hint\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').SetApiKeyStopDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveApiExport($input: RemoveApiExportInput!) {\n    removeApiExport(input: $input) {\n      export {\n        id\n        state\n        removedAt\n      }\n    }\n  }\n"): typeof import('./graphql').RemoveApiExportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AgentExports($id: ID!) {\n    agent(id: $id) {\n      id\n      name\n      state\n      model {\n        sandbox\n      }\n      publishedVersion {\n        number\n        variables {\n          name\n          required\n        }\n        actions {\n          name\n        }\n        replySchema\n        model {\n          name\n          creditsPerMessage\n        }\n      }\n      exports {\n        id\n        name\n        state\n        expiresAt\n        lastUsedAt\n        rateLimitPerMinute\n        version\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n        keys {\n          id\n          hint\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').AgentExportsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AccountExports($first: Int, $after: String, $filter: ExportFilter, $orderBy: ExportOrder) {\n    viewer {\n      id\n      exports(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n        nodes {\n          id\n          name\n          state\n          removedAt\n          lastUsedAt\n          expiresAt\n          rateLimitPerMinute\n          version\n          dailyCreditLimit\n          monthlyCreditLimit\n          creditsUsedToday\n          creditsUsedThisMonth\n          requireUserId\n          userDailyMessageLimit\n          keys {\n            id\n            hint\n          }\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').AccountExportsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query LiveAgents($first: Int, $after: String) {\n    agents(\n      first: $first\n      after: $after\n      filter: { state: LIVE }\n      orderBy: { field: NAME, direction: ASC }\n    ) {\n      nodes {\n        id\n        name\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): typeof import('./graphql').LiveAgentsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateApiExport($input: CreateApiExportInput!) {\n    createApiExport(input: $input) {\n      apiKey\n      export {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').CreateApiExportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateApiExport($input: UpdateApiExportInput!) {\n    updateApiExport(input: $input) {\n      export {\n        id\n        name\n        state\n        rateLimitPerMinute\n        version\n        expiresAt\n        dailyCreditLimit\n        monthlyCreditLimit\n        creditsUsedToday\n        creditsUsedThisMonth\n        requireUserId\n        userDailyMessageLimit\n      }\n    }\n  }\n"): typeof import('./graphql').UpdateApiExportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PauseApiExport($input: PauseApiExportInput!) {\n    pauseApiExport(input: $input) {\n      export {\n        id\n        state\n      }\n    }\n  }\n"): typeof import('./graphql').PauseApiExportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ResumeApiExport($input: ResumeApiExportInput!) {\n    resumeApiExport(input: $input) {\n      export {\n        id\n        state\n      }\n    }\n  }\n"): typeof import('./graphql').ResumeApiExportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Home {\n    agents(first: 5) {\n      nodes {\n        id\n        name\n        state\n        hasUnpublishedChanges\n        lastUsedAt\n        publishedVersion {\n          number\n        }\n        model {\n          label\n        }\n      }\n      totalCount\n    }\n    viewer {\n      id\n      conversations(first: 6) {\n        nodes {\n          id\n          sessionId\n          userId\n          preview\n          failedTurns\n          lastTurnAt\n          agent {\n            id\n            name\n          }\n        }\n      }\n      calls: conversations(first: 1, filter: { source: API }) {\n        nodes {\n          id\n        }\n      }\n      charges: creditHistory(first: 1, filter: { kind: CHARGE }) {\n        nodes {\n          id\n          exportName\n        }\n      }\n      exports(first: 1, filter: { state: ACTIVE }) {\n        nodes {\n          id\n          name\n          state\n          requireUserId\n          userDailyMessageLimit\n          agent {\n            id\n            name\n            publishedVersion {\n              variables {\n                name\n                required\n              }\n            }\n          }\n          pinnedVersion {\n            variables {\n              name\n              required\n            }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').HomeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query HomeAttention {\n    agents(first: 100) {\n      nodes {\n        id\n        name\n        state\n        hasUnpublishedChanges\n        publishedVersion {\n          number\n        }\n      }\n    }\n    viewer {\n      id\n      exports(first: 100, filter: { state: ACTIVE }) {\n        nodes {\n          id\n          name\n          expiresAt\n          dailyCreditLimit\n          monthlyCreditLimit\n          creditsUsedToday\n          creditsUsedThisMonth\n          agent {\n            id\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').HomeAttentionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateStarter($input: CreateAgentInput!) {\n    createAgent(input: $input) {\n      agent {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').CreateStarterDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query HomeUsage(\n    $from: DateTime!\n    $before: DateTime!\n    $to: DateTime!\n    $hourAgo: DateTime!\n    $interval: UsageInterval!\n    $timeZone: String\n  ) {\n    viewer {\n      id\n      now: usage(filter: { from: $from, to: $to }, groupBy: []) {\n        messages\n        failed\n        refused\n        credits\n        durationP50Ms\n        durationP95Ms\n      }\n      before: usage(filter: { from: $before, to: $from }, groupBy: []) {\n        messages\n        failed\n        durationP50Ms\n      }\n      points: usage(\n        filter: { from: $before, to: $to }\n        groupBy: []\n        interval: $interval\n        timeZone: $timeZone\n      ) {\n        start\n        messages\n        failed\n        credits\n        durationP50Ms\n        durationP95Ms\n      }\n      agents: usage(filter: { from: $from, to: $to }, groupBy: [AGENT, SOURCE]) {\n        agent {\n          id\n          name\n        }\n        source\n        messages\n        failed\n        credits\n      }\n      agentPoints: usage(\n        filter: { from: $from, to: $to }\n        groupBy: [AGENT]\n        interval: $interval\n        timeZone: $timeZone\n      ) {\n        start\n        agent {\n          id\n        }\n        messages\n      }\n      lastHour: usage(filter: { from: $hourAgo, to: $to, source: API }, groupBy: [AGENT, STATUS]) {\n        agent {\n          id\n          name\n        }\n        status\n        messages\n        failed\n      }\n    }\n  }\n"): typeof import('./graphql').HomeUsageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Members {\n    me {\n      id\n    }\n    viewer {\n      id\n      members {\n        userId\n        name\n        email\n        role\n        since\n        secondFactor\n        lastSeenAt\n      }\n    }\n  }\n"): typeof import('./graphql').MembersDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Invitations {\n    viewer {\n      id\n      invitations {\n        id\n        email\n        role\n        invitedBy {\n          name\n        }\n        createdAt\n        expiresAt\n      }\n    }\n  }\n"): typeof import('./graphql').InvitationsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MadeKeys {\n    viewer {\n      id\n      exports(first: 100, filter: { inUse: true }) {\n        nodes {\n          id\n          name\n          keys {\n            id\n            createdBy {\n              actorId\n            }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').MadeKeysDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MadeTokens {\n    me {\n      id\n    }\n    viewer {\n      id\n      accountTokens {\n        id\n        name\n        createdBy {\n          actorId\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').MadeTokensDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InvitationPreview($token: String!) {\n    invitation(token: $token) {\n      accountName\n      email\n      role\n      invitedBy\n      expiresAt\n      known\n    }\n  }\n"): typeof import('./graphql').InvitationPreviewDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MyAddress {\n    me {\n      id\n      email\n    }\n  }\n"): typeof import('./graphql').MyAddressDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateAccount($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').UpdateAccountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation InviteMember($input: InviteMemberInput!) {\n    inviteMember(input: $input) {\n      invitation {\n        id\n        email\n      }\n      link\n    }\n  }\n"): typeof import('./graphql').InviteMemberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RenewInvitation($input: RenewInvitationInput!) {\n    renewInvitation(input: $input) {\n      invitation {\n        id\n        email\n      }\n      link\n    }\n  }\n"): typeof import('./graphql').RenewInvitationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RevokeInvitation($input: RevokeInvitationInput!) {\n    revokeInvitation(input: $input) {\n      revokedInvitationId\n    }\n  }\n"): typeof import('./graphql').RevokeInvitationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetMemberRole($input: SetMemberRoleInput!) {\n    setMemberRole(input: $input) {\n      member {\n        userId\n        role\n      }\n    }\n  }\n"): typeof import('./graphql').SetMemberRoleDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveMember($input: RemoveMemberInput!) {\n    removeMember(input: $input) {\n      userId\n    }\n  }\n"): typeof import('./graphql').RemoveMemberDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation LeaveAccount {\n    leaveAccount {\n      ok\n    }\n  }\n"): typeof import('./graphql').LeaveAccountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AcceptInvitation($input: AcceptInvitationInput!) {\n    acceptInvitation(input: $input) {\n      account {\n        accountId\n      }\n    }\n  }\n"): typeof import('./graphql').AcceptInvitationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query People($first: Int, $after: String, $filter: EndUserFilter, $orderBy: EndUserOrder) {\n    viewer {\n      id\n      endUsers(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {\n        nodes {\n          userId\n          lastSeenAt\n          messages\n          credits\n          blocked\n          dailyMessageLimit\n          messagesToday\n          nearestExportLimit {\n            dailyMessageLimit\n            messagesToday\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').PeopleDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Person($userId: String!, $from: DateTime!, $since: DateTime!, $to: DateTime!, $timeZone: String) {\n    viewer {\n      id\n      endUser(userId: $userId) {\n        userId\n        firstSeenAt\n        lastSeenAt\n        messages\n        credits\n        conversations\n        blocked\n        dailyMessageLimit\n        messagesToday\n        nearestExportLimit {\n          dailyMessageLimit\n          messagesToday\n          export {\n            id\n            name\n          }\n        }\n      }\n      month: usage(filter: { userId: $userId, from: $from, to: $to }, groupBy: []) {\n        messages\n        failed\n        credits\n      }\n      days: usage(\n        filter: { userId: $userId, from: $since, to: $to, source: API }\n        groupBy: []\n        interval: DAY\n        timeZone: $timeZone\n      ) {\n        start\n        messages\n        failed\n        refused\n      }\n    }\n  }\n"): typeof import('./graphql').PersonDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteEndUser($input: DeleteEndUserInput!) {\n    deleteEndUser(input: $input) {\n      deletedCount\n    }\n  }\n"): typeof import('./graphql').DeleteEndUserDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation BlockEndUser($input: BlockEndUserInput!) {\n    blockEndUser(input: $input) {\n      endUser {\n        blocked\n      }\n    }\n  }\n"): typeof import('./graphql').BlockEndUserDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UnblockEndUser($input: UnblockEndUserInput!) {\n    unblockEndUser(input: $input) {\n      endUser {\n        blocked\n      }\n    }\n  }\n"): typeof import('./graphql').UnblockEndUserDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetEndUserLimit($input: SetEndUserLimitInput!) {\n    setEndUserLimit(input: $input) {\n      endUser {\n        dailyMessageLimit\n      }\n    }\n  }\n"): typeof import('./graphql').SetEndUserLimitDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment SentTurn on Turn {\n    id\n    ...TurnReply\n    ...TurnRatings\n    state\n    version\n    errorCode\n    requestId\n    model\n    fallback\n    credits\n    inputTokens\n    outputTokens\n    firstTextMs\n    durationMs\n  }\n"): typeof import('./graphql').SentTurnFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PastTests($agentId: ID!, $first: Int!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: $first, filter: { source: PLAYGROUND }) {\n        nodes {\n          id\n          sessionId\n          preview\n          lastTurnAt\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').PastTestsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription PlaygroundFollow($input: SendTestMessageInput!) {\n    testMessage(input: $input) {\n      __typename\n      ... on TestMessageStarted {\n        turnId\n      }\n      ... on TestMessageDelta {\n        text\n      }\n      ... on TestMessageEnded {\n        conversation {\n          id\n        }\n        turn {\n          ...SentTurn\n        }\n      }\n      ... on TestMessageFailed {\n        conversation {\n          id\n        }\n        turn {\n          ...SentTurn\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').PlaygroundFollowDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlaygroundLatestTurn($agentId: ID!, $sessionId: String!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: 1, filter: { sessionId: $sessionId, source: PLAYGROUND }) {\n        nodes {\n          id\n          turns(last: 1) {\n            nodes {\n              message\n              actionResults {\n                callId\n              }\n              ...SentTurn\n            }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').PlaygroundLatestTurnDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlaygroundKept($agentId: ID!, $sessionId: String!, $last: Int!) {\n    agent(id: $agentId) {\n      id\n      conversations(first: 1, filter: { sessionId: $sessionId, source: PLAYGROUND }) {\n        nodes {\n          id\n          continuesFrom {\n            id\n          }\n          turns(last: $last) {\n            nodes {\n              ...TurnMessage\n              userId\n              variables {\n                name\n                value\n              }\n              ...SentTurn\n            }\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').PlaygroundKeptDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RequestCounts($range: UsageFilter!, $period: UsageFilter!, $interval: UsageInterval!, $timeZone: String) {\n    viewer {\n      id\n      rejectedRequestDays\n      codes: usage(filter: $range, groupBy: [STATUS, AGENT]) {\n        status\n        agent {\n          id\n        }\n        rest\n        messages\n        failed\n        refused\n      }\n      bars: usage(filter: $period, groupBy: [], interval: $interval, timeZone: $timeZone) {\n        start\n        messages\n        failed\n        refused\n      }\n    }\n  }\n"): typeof import('./graphql').RequestCountsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SimilarRequests($filter: UsageFilter!) {\n    viewer {\n      id\n      usage(filter: $filter, groupBy: [STATUS]) {\n        status\n        failed\n        refused\n      }\n    }\n  }\n"): typeof import('./graphql').SimilarRequestsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RequestsToSave($first: Int, $after: String, $filter: RequestFilter) {\n    viewer {\n      id\n      createdAt\n      requests(first: $first, after: $after, filter: $filter) {\n        nodes {\n          id\n          requestId\n          at\n          outcome\n          status\n          code\n          detail\n          agent {\n            id\n            name\n          }\n          export {\n            id\n            name\n          }\n          clientAddress\n          sessionId\n          userId\n          model\n          streamed\n          replayed\n          credits\n          durationMs\n          waitedMs\n          modelMs\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').RequestsToSaveDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment RequestPage on RequestConnection {\n    edges {\n      cursor\n      node {\n        id\n        at\n        outcome\n        status\n        code\n        detail\n        preview\n        agent {\n          id\n          name\n        }\n        sessionId\n        userId\n        replayed\n        credits\n        durationMs\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n"): typeof import('./graphql').RequestPageFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Requests($first: Int, $after: String, $filter: RequestFilter, $ids: RequestFilter, $searching: Boolean!) {\n    viewer {\n      id\n      requests(first: $first, after: $after, filter: $filter) {\n        ...RequestPage\n      }\n      byId: requests(first: $first, after: $after, filter: $ids) @include(if: $searching) {\n        ...RequestPage\n      }\n    }\n  }\n"): typeof import('./graphql').RequestsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Request($id: ID!) {\n    request(id: $id) {\n      id\n      requestId\n      at\n      outcome\n      status\n      code\n      detail\n      agent {\n        id\n        name\n      }\n      export {\n        id\n        name\n      }\n      clientAddress\n      sessionId\n      userId\n      model\n      streamed\n      background\n      replayed\n      credits\n      durationMs\n      waitedMs\n      modelMs\n      conversation {\n        id\n        sessionId\n      }\n      turn {\n        id\n        number\n        ...TurnMessage\n        ...TurnReply\n        version\n        providerError {\n          status\n          code\n          message\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').RequestDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StartSecondFactor {\n    startSecondFactor {\n      secret\n      uri\n      qrCode\n    }\n  }\n"): typeof import('./graphql').StartSecondFactorDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ConfirmSecondFactor($input: ConfirmSecondFactorInput!) {\n    confirmSecondFactor(input: $input) {\n      recoveryCodes\n    }\n  }\n"): typeof import('./graphql').ConfirmSecondFactorDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RemoveSecondFactor($input: RemoveSecondFactorInput!) {\n    removeSecondFactor(input: $input) {\n      ok\n    }\n  }\n"): typeof import('./graphql').RemoveSecondFactorDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RenewRecoveryCodes($input: RenewRecoveryCodesInput!) {\n    renewRecoveryCodes(input: $input) {\n      recoveryCodes\n    }\n  }\n"): typeof import('./graphql').RenewRecoveryCodesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SecondFactorRule {\n    me {\n      id\n      secondFactor\n    }\n    viewer {\n      id\n      requireSecondFactor\n    }\n  }\n"): typeof import('./graphql').SecondFactorRuleDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetSecondFactorRule($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n        requireSecondFactor\n      }\n    }\n  }\n"): typeof import('./graphql').SetSecondFactorRuleDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SignIns {\n    viewer {\n      id\n      signIns {\n        id\n        browser\n        address\n        createdAt\n        lastUsedAt\n        current\n      }\n    }\n  }\n"): typeof import('./graphql').SignInsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Events($first: Int, $after: String) {\n    me {\n      id\n      events(first: $first, after: $after) {\n        nodes {\n          id\n          at\n          actor {\n            kind\n            name\n          }\n          action\n          details {\n            field\n          }\n          address\n          browser\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').EventsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Address {\n    me {\n      id\n      email\n      emailVerified\n    }\n  }\n"): typeof import('./graphql').AddressDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RequestEmailVerification {\n    requestEmailVerification {\n      ok\n    }\n  }\n"): typeof import('./graphql').RequestEmailVerificationDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChangeEmail($input: ChangeEmailInput!) {\n    changeEmail(input: $input) {\n      ok\n    }\n  }\n"): typeof import('./graphql').ChangeEmailDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation EndSignIn($input: EndSignInInput!) {\n    endSignIn(input: $input) {\n      endedSignInId\n    }\n  }\n"): typeof import('./graphql').EndSignInDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SignOutEverywhere {\n    signOutEverywhere {\n      ok\n    }\n  }\n"): typeof import('./graphql').SignOutEverywhereDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ChangePassword($input: ChangePasswordInput!) {\n    changePassword(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').ChangePasswordDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateUser($input: UpdateUserInput!) {\n    updateUser(input: $input) {\n      user {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').UpdateUserDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Notifications {\n    viewer {\n      id\n      viewerRole\n      lowCreditsAt\n    }\n  }\n"): typeof import('./graphql').NotificationsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query KeptData {\n    viewer {\n      id\n      rejectedRequestDays\n      retentionDays\n      serviceRetentionDays\n    }\n  }\n"): typeof import('./graphql').KeptDataDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RetentionPreview($days: Int!) {\n    viewer {\n      id\n      retentionPreview(days: $days) {\n        conversations\n        more\n      }\n    }\n  }\n"): typeof import('./graphql').RetentionPreviewDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetRetention($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').SetRetentionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateAccountDownload {\n    createAccountDownload {\n      url\n    }\n  }\n"): typeof import('./graphql').CreateAccountDownloadDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetLowCredits($input: UpdateAccountInput!) {\n    updateAccount(input: $input) {\n      account {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').SetLowCreditsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteAccount($input: DeleteAccountInput!) {\n    deleteAccount(input: $input) {\n      ok\n    }\n  }\n"): typeof import('./graphql').DeleteAccountDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Found($userId: String!, $people: EndUserFilter, $sessions: ConversationFilter, $requests: RequestFilter) {\n    viewer {\n      id\n      person: endUser(userId: $userId) {\n        userId\n      }\n      people: endUsers(first: 5, filter: $people) {\n        nodes {\n          userId\n        }\n      }\n      sessions: conversations(first: 5, filter: $sessions) {\n        nodes {\n          id\n          sessionId\n          agent {\n            id\n            name\n          }\n        }\n      }\n      requests(first: 1, filter: $requests) {\n        nodes {\n          id\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').FoundDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TestCases($agentId: ID!, $first: Int!, $after: String, $search: String) {\n    agent(id: $agentId) {\n      id\n      testCases(first: $first, after: $after, search: $search) {\n        nodes {\n          id\n          number\n          document\n          newestOutcome {\n            passes\n            repeats\n            passed\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').TestCasesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TestCase($id: ID!) {\n    testCase(id: $id) {\n      id\n      number\n      document\n      conversation {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').TestCaseDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TestCaseFrom($turnId: ID!) {\n    testCaseFrom(turnId: $turnId)\n  }\n"): typeof import('./graphql').TestCaseFromDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateTestCase($input: CreateTestCaseInput!) {\n    createTestCase(input: $input) {\n      testCase {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').CreateTestCaseDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateTestCase($input: UpdateTestCaseInput!) {\n    updateTestCase(input: $input) {\n      testCase {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').UpdateTestCaseDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteTestCases($input: DeleteTestCasesInput!) {\n    deleteTestCases(input: $input) {\n      ids\n    }\n  }\n"): typeof import('./graphql').DeleteTestCasesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ImportTestCases($input: ImportTestCasesInput!) {\n    importTestCases(input: $input) {\n      imported\n      skipped {\n        line\n        message\n      }\n    }\n  }\n"): typeof import('./graphql').ImportTestCasesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TestRuns($agentId: ID!, $first: Int!, $after: String) {\n    agent(id: $agentId) {\n      id\n      testRuns(first: $first, after: $after) {\n        nodes {\n          id\n          number\n          version {\n            number\n          }\n          model\n          whole\n          state\n          stopReason\n          repeats\n          attempts\n          done\n          passed\n          credits\n          createdAt\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').TestRunsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TestRun($id: ID!) {\n    testRun(id: $id) {\n      id\n      number\n      agent {\n        id\n      }\n      version {\n        number\n      }\n      model\n      state\n      stopReason\n      repeats\n      neededPasses\n      attempts\n      done\n      passed\n      budget\n      credits\n      startedBy {\n        name\n      }\n      createdAt\n    }\n  }\n"): typeof import('./graphql').TestRunDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TestOutcomes($id: ID!, $first: Int!, $after: String, $against: ID) {\n    testRun(id: $id) {\n      id\n      done\n      outcomes(first: $first, after: $after, against: $against) {\n        nodes {\n          caseNumber\n          case {\n            id\n            document\n          }\n          passes\n          repeats\n          passed\n          change\n          before {\n            passes\n            repeats\n            passed\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').TestOutcomesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TestResults($id: ID!, $first: Int!, $after: String, $caseNumber: Int) {\n    testRun(id: $id) {\n      id\n      results(first: $first, after: $after, caseNumber: $caseNumber) {\n        nodes {\n          caseNumber\n          repeat\n          passed\n          errorCode\n          credits\n          durationMs\n          verdicts {\n            check\n            type\n            passed\n            judgeTurn {\n              id\n              reply\n            }\n          }\n          turn {\n            id\n            number\n            conversationId\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').TestResultsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TestRunPrice($input: StartTestRunInput!) {\n    testRunPrice(input: $input) {\n      most\n      exact\n      attempts\n    }\n  }\n"): typeof import('./graphql').TestRunPriceDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StartTestRun($input: StartTestRunInput!) {\n    startTestRun(input: $input) {\n      testRun {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').StartTestRunDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation StopTestRun($input: StopTestRunInput!) {\n    stopTestRun(input: $input) {\n      testRun {\n        id\n        state\n        stopReason\n      }\n    }\n  }\n"): typeof import('./graphql').StopTestRunDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteTestRun($input: DeleteTestRunInput!) {\n    deleteTestRun(input: $input) {\n      deletedTestRunId\n    }\n  }\n"): typeof import('./graphql').DeleteTestRunDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TestSettings($agentId: ID!) {\n    agent(id: $agentId) {\n      id\n      tests {\n        gate\n        repeats\n        neededPasses\n        judge {\n          id\n          name\n        }\n        tokenCreditsPerDay\n      }\n    }\n  }\n"): typeof import('./graphql').TestSettingsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateTestSettings($input: UpdateTestSettingsInput!) {\n    updateTestSettings(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').UpdateTestSettingsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query UsagePage(\n    $filter: UsageFilter!\n    $api: UsageFilter!\n    $before: UsageFilter!\n    $whole: UsageFilter!\n    $inMonth: Boolean!\n    $split: [UsageDimension!]!\n    $interval: UsageInterval!\n    $timeZone: String\n  ) {\n    viewer {\n      id\n      rows: usage(filter: $filter, groupBy: $split) {\n        agent {\n          id\n          name\n        }\n        agentName\n        export {\n          id\n          name\n        }\n        exportName\n        model\n        userId\n        status\n        rest\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n        durationP50Ms\n        durationP95Ms\n      }\n      requests: usage(filter: $api, groupBy: $split) {\n        agent {\n          id\n        }\n        agentName\n        export {\n          id\n        }\n        exportName\n        model\n        userId\n        status\n        rest\n        messages\n      }\n      total: usage(filter: $filter, groupBy: []) {\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n        durationP50Ms\n        durationP95Ms\n      }\n      before: usage(filter: $before, groupBy: []) {\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n        durationP50Ms\n      }\n      whole: usage(filter: $whole, groupBy: []) @include(if: $inMonth) {\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n        durationP50Ms\n      }\n      points: usage(filter: $filter, groupBy: $split, interval: $interval, timeZone: $timeZone) {\n        start\n        agent {\n          id\n          name\n        }\n        agentName\n        export {\n          id\n          name\n        }\n        exportName\n        model\n        userId\n        status\n        rest\n        messages\n        failed\n        refused\n        credits\n        inputTokens\n        outputTokens\n      }\n      times: usage(filter: $filter, groupBy: [], interval: $interval, timeZone: $timeZone) {\n        start\n        messages\n        credits\n        durationP50Ms\n        durationP95Ms\n      }\n    }\n  }\n"): typeof import('./graphql').UsagePageDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment DraftContent on Agent {\n    instructions\n    temperature\n    maxOutputTokens\n    contextTurns\n    replySchema\n    actions {\n      name\n      description\n      parameters\n    }\n    variables {\n      name\n      description\n      required\n      defaultValue\n    }\n    model {\n      name\n      label\n    }\n    fallbackModel {\n      name\n      label\n    }\n  }\n"): typeof import('./graphql').DraftContentFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment VersionContent on AgentVersion {\n    number\n    instructions\n    modelName\n    temperature\n    maxOutputTokens\n    contextTurns\n    replySchema\n    knowledge {\n      id\n      name\n      inDraft\n    }\n    actions {\n      name\n      description\n      parameters\n    }\n    variables {\n      name\n      description\n      required\n      defaultValue\n    }\n    model {\n      name\n      label\n    }\n    fallbackModelName\n    fallbackModel {\n      name\n      label\n    }\n  }\n"): typeof import('./graphql').VersionContentFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PublishTests($agentId: ID!) {\n    agent(id: $agentId) {\n      id\n      tests {\n        gate\n        standing\n      }\n      testRuns(first: 20) {\n        nodes {\n          id\n          number\n          version {\n            number\n          }\n          model\n          whole\n          state\n          repeats\n          attempts\n          passed\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').PublishTestsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Review($id: ID!) {\n    agent(id: $id) {\n      id\n      name\n      state\n      missing\n      updatedAt\n      hasUnpublishedChanges\n      ...DraftContent\n      knowledge(first: 100) {\n        nodes {\n          id\n          name\n          state\n          inDraft\n          inVersions\n        }\n      }\n      model {\n        sandbox\n        creditsPerMessage\n        creditsWithKnowledge\n      }\n      fallbackModel {\n        creditsPerMessage\n        creditsWithKnowledge\n      }\n      publishedVersion {\n        ...VersionContent\n        model {\n          sandbox\n          creditsPerMessage\n          creditsWithKnowledge\n        }\n      }\n      exports {\n        id\n        name\n        version\n      }\n    }\n  }\n"): typeof import('./graphql').ReviewDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Versions($id: ID!, $first: Int, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: $first, after: $after) {\n        edges {\n          cursor\n          node {\n            number\n            createdAt\n            note\n            model {\n              name\n              label\n              creditsPerMessage\n              creditsWithKnowledge\n              available\n            }\n            publishedBy {\n              name\n            }\n            pinnedBy {\n              id\n              name\n            }\n            ratings {\n              up\n              down\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').VersionsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Version($id: ID!, $number: Int!) {\n    agent(id: $id) {\n      id\n      version(number: $number) {\n        ...VersionContent\n      }\n    }\n  }\n"): typeof import('./graphql').VersionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query VersionContents($id: ID!, $first: Int, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: $first, after: $after) {\n        nodes {\n          ...VersionContent\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').VersionContentsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query VersionGiven($id: ID!, $after: String) {\n    agent(id: $id) {\n      id\n      versions(first: 2, after: $after) {\n        nodes {\n          number\n          knowledge {\n            id\n          }\n          variables {\n            name\n            description\n            required\n            defaultValue\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').VersionGivenDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query VersionSuccess($agentId: ID!, $from: DateTime!, $to: DateTime!) {\n    viewer {\n      id\n      usage(filter: { agentId: $agentId, from: $from, to: $to }, groupBy: [VERSION]) {\n        version\n        messages\n        failed\n      }\n    }\n  }\n"): typeof import('./graphql').VersionSuccessDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PinApiExport($input: UpdateApiExportInput!) {\n    updateApiExport(input: $input) {\n      export {\n        id\n        version\n      }\n    }\n  }\n"): typeof import('./graphql').PinApiExportDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PublishAgent($input: PublishAgentInput!) {\n    publishAgent(input: $input) {\n      version {\n        number\n      }\n      notReady {\n        id\n        name\n      }\n    }\n  }\n"): typeof import('./graphql').PublishAgentDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RestoreAgentVersion($input: RestoreAgentVersionInput!) {\n    restoreAgentVersion(input: $input) {\n      agent {\n        id\n        updatedAt\n      }\n    }\n  }\n"): typeof import('./graphql').RestoreAgentVersionDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DiscardAgentChanges($input: DiscardAgentChangesInput!) {\n    discardAgentChanges(input: $input) {\n      agent {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').DiscardAgentChangesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateWebhook($input: UpdateWebhookInput!) {\n    updateWebhook(input: $input) {\n      webhook {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').UpdateWebhookDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation DeleteWebhook($input: DeleteWebhookInput!) {\n    deleteWebhook(input: $input) {\n      deletedWebhookId\n    }\n  }\n"): typeof import('./graphql').DeleteWebhookDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation TestWebhook($input: TestWebhookInput!) {\n    testWebhook(input: $input) {\n      delivery {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').TestWebhookDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) {\n    rotateWebhookSecret(input: $input) {\n      secret\n      webhook {\n        id\n        url\n      }\n    }\n  }\n"): typeof import('./graphql').RotateWebhookSecretDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateWebhook($input: CreateWebhookInput!) {\n    createWebhook(input: $input) {\n      secret\n      webhook {\n        id\n        url\n      }\n    }\n  }\n"): typeof import('./graphql').CreateWebhookDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WebhookDelivery($id: ID!) {\n    node(id: $id) {\n      __typename\n      ... on WebhookDelivery {\n        id\n        body\n        createdAt\n        tries\n      }\n    }\n  }\n"): typeof import('./graphql').WebhookDeliveryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RetryWebhookDelivery($input: RetryWebhookDeliveryInput!) {\n    retryWebhookDelivery(input: $input) {\n      delivery {\n        id\n      }\n    }\n  }\n"): typeof import('./graphql').RetryWebhookDeliveryDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WebhookDeliveries($id: ID!, $first: Int, $after: String, $failed: Boolean) {\n    node(id: $id) {\n      __typename\n      ... on Webhook {\n        id\n        deliveries(first: $first, after: $after, failed: $failed) {\n          nodes {\n            id\n            event\n            status\n            tookMs\n            error\n            sentAt\n            nextTryAt\n          }\n          pageInfo {\n            hasNextPage\n            endCursor\n          }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').WebhookDeliveriesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Webhooks {\n    serviceInfo {\n      ownerWebhooks\n    }\n    viewer {\n      id\n      webhooks {\n        id\n        url\n        events\n        state\n        createdBy {\n          name\n        }\n        createdAt\n        failingSince\n        previousSecretUntil\n        dropped\n      }\n    }\n  }\n"): typeof import('./graphql').WebhooksDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Memberships {\n    me {\n      id\n      memberships {\n        account {\n          accountId\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').MembershipsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RenewAccess {\n    renewAccess {\n      accessToken\n      expiresAt\n    }\n  }\n"): typeof import('./graphql').RenewAccessDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query AgentChoices($after: String) {\n    agents(first: 100, after: $after) {\n      nodes {\n        id\n        name\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): typeof import('./graphql').AgentChoicesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ExportChoices($agentId: ID, $after: String) {\n    viewer {\n      id\n      exports(first: 100, after: $after, filter: { agentId: $agentId }) {\n        nodes {\n          id\n          name\n          state\n          agent {\n            id\n            name\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): typeof import('./graphql').ExportChoicesDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
